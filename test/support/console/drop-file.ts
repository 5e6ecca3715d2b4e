import type { Page } from 'playwright-core';

/** Drops a file with this text on the page as a person does; the browser's own drag cannot be driven from outside. */
export async function dropFile(page: Page, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], 'dropped.json', { type: 'application/json' }));
    return transfer;
  })()`);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop a story export here').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}
