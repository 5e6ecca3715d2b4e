import { importCurl, type ImportedRequest } from '../../../../src/console/request-import/import-curl.js';
import { sentRequest } from './sent-request.js';

const CONTEXT = { language: 'formula' as const, ownOrigins: ['https://fabula.example.com'] };

function imported(command: string, context = {}): ImportedRequest {
  const found = importCurl(command, { ...CONTEXT, ...context });
  if (found.kind !== 'request') throw new Error(JSON.stringify(found));
  return found;
}

const optionsOf = (command: string) => imported(command).options;

describe('commands that other importers get wrong', () => {
  it('Postman: several lines, Basic authentication, a cookie, JSON that has "="', () => {
    const found = imported(`curl --location --request POST 'https://xyz.example/webservice/v1/list' \\
--header 'soft: list' \\
--header 'Authorization: Basic NDI6YWJj' \\
--header 'Content-Type: application/json' \\
--header 'Cookie: Session=13j2hu01898' \\
--data-raw '{
"qtype":"contract.id",
"query":"1703",
"oper":"=",
"sortorder":"asc"
}'`);
    expect(found.options).toEqual({
      url: 'https://xyz.example/webservice/v1/list',
      method: 'post',
      content_type: 'application/json',
      payload: { qtype: 'contract.id', query: '1703', oper: "<<'='>>", sortorder: 'asc' },
      headers: { soft: 'list', Cookie: '<<CREDENTIAL.xyz_example_cookie>>' },
      basic_auth: ['42', '<<CREDENTIAL.xyz_example_password>>'],
    });
    expect(found.secrets.map(({ where, kind, value }) => [where, kind, value])).toEqual([
      ['headers.Cookie', 'cookie', 'Session=13j2hu01898'],
      ['basic_auth', 'basic', 'abc'],
    ]);
    expect(found.name).toBe('POST list');
    expect(sentRequest(found.options)).toMatchObject({
      body: '{"qtype":"contract.id","query":"1703","oper":"=","sortorder":"asc"}',
    });
  });

  it('a content type with a charset: the body stays whole', () => {
    expect(
      optionsOf(`curl --request POST --url https://example.com/api \\
  --header 'content-type: application/json; charset=UTF-8' \\
  --data '{"userId":"123","active":false}'`),
    ).toEqual({
      url: 'https://example.com/api',
      method: 'post',
      content_type: 'application/json; charset=UTF-8',
      payload: { userId: '123', active: false },
    });
  });

  it.each(['', `-H 'Content-Type: application/json'`])('JSON with "=" and "&" in its texts %s', (header) => {
    expect(optionsOf(`curl https://a.test/x ${header} -d '{"q":"a=b&c=d","n":1}'`)).toMatchObject({
      method: 'post',
      content_type: 'application/json',
      payload: { q: 'a=b&c=d', n: 1 },
    });
  });

  it('--data-urlencode: the text is whole, with "=", "/" and "+" in it', () => {
    const { options } =
      imported(`curl --location --request POST 'https://ocr.test/idcard?access_token=t0ken' \\
--header 'Content-Type: application/x-www-form-urlencoded' \\
--data-urlencode 'id_card_side=front' \\
--data-urlencode 'image=/9j/4AAQ+SkZJ=Rg/tAN+dMR//9k=' \\
--data-urlencode 'detect_ps=false'`);
    expect(options).toEqual({
      url: 'https://ocr.test/idcard',
      method: 'post',
      content_type: 'application/x-www-form-urlencoded',
      payload: { id_card_side: 'front', image: '/9j/4AAQ+SkZJ=Rg/tAN+dMR//9k=', detect_ps: 'false' },
      query_params: { access_token: '<<CREDENTIAL.ocr_test_key>>' },
    });
    expect(sentRequest(options).body).toBe(
      'id_card_side=front&image=%2F9j%2F4AAQ%2BSkZJ%3DRg%2FtAN%2BdMR%2F%2F9k%3D&detect_ps=false',
    );
  });

  it('a comma in the query', () => {
    expect(optionsOf('curl "https://example.com?bla=blu,bli&x=1"')).toEqual({
      url: 'https://example.com',
      method: 'get',
      query_params: { bla: 'blu,bli', x: '1' },
    });
  });

  it("$'…', and the boundary of a form that the browser wrote", () => {
    const { options, remarks } = imported(
      `curl 'https://a.test/upload' -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryAbc' ` +
        `--data-raw $'------WebKitFormBoundaryAbc\\r\\nContent-Disposition: form-data; name="title"\\r\\n\\r\\nIt\\'s \\u0021\\r\\n` +
        `------WebKitFormBoundaryAbc\\r\\nContent-Disposition: form-data; name="file"; filename="a.pdf"\\r\\nContent-Type: application/pdf\\r\\n\\r\\n\\r\\n` +
        `------WebKitFormBoundaryAbc--\\r\\n'`,
    );
    expect(options).toEqual({
      url: 'https://a.test/upload',
      method: 'post',
      content_type: 'multipart/form-data',
      payload: {
        title: "It's !",
        file: { filename: 'a.pdf', content_type: 'application/pdf', contents: '' },
      },
    });
    expect(remarks).toEqual(['Fill in the content of the file a.pdf at payload.file.']);
  });

  it('JSON without a content type, and blanks in the address', () => {
    const found = imported(
      `curl --location 'https://sub.domain.test (your API)/proxy' --data '{"enabled": true, "port": "8000"}'`,
    );
    expect(found.options).toMatchObject({
      payload: { enabled: true, port: '8000' },
      content_type: 'application/json',
    });
    expect(found.remarks).toHaveLength(2);
  });

  it('cookies with quotes and "="', () => {
    const [secret] = imported(`curl 'https://www.example.com/v1' -b 'cookie1="subprop1=val1"'`).secrets;
    expect(secret).toMatchObject({ kind: 'cookie', value: 'cookie1="subprop1=val1"' });
    expect(secret?.suggestion).toEqual({
      name: 'example_com_cookie',
      mode: 'TEXT',
      allowed_hosts: ['www.example.com'],
    });
  });
});

describe('copies', () => {
  const expected = {
    url: 'https://shop.test/api/items',
    method: 'post',
    content_type: 'application/json',
    payload: { name: 'say "hi"', path: 'C:\\temp', price: '5 %' },
    query_params: { a: '1', b: '2' },
    headers: { accept: '*/*', 'accept-language': 'en', Referer: 'https://shop.test/' },
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  };
  const json = String.raw`{"name":"say \"hi\"","path":"C:\\temp","price":"5 %"}`;

  it('Chrome, bash', () => {
    const found = imported(`curl 'https://shop.test/api/items?a=1&b=2' \\
  -H 'accept: */*' \\
  -H 'accept-language: en' \\
  -H 'content-type: application/json' \\
  -H 'priority: u=1, i' \\
  -H 'Referer: https://shop.test/' \\
  -H 'sec-ch-ua: "Chromium";v="142"' \\
  -H 'sec-fetch-mode: cors' \\
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' \\
  --data-raw '${json}'`);
    expect(found.options).toEqual(expected);
    expect(found.remarks).toEqual([
      'Headers that only browsers and Postman send are left out: priority, sec-ch-ua, sec-fetch-mode.',
    ]);
  });

  it('Chrome, cmd of Windows', () => {
    expect(
      optionsOf(String.raw`curl ^"https://shop.test/api/items?a=1^&b=2^" ^
  -H ^"accept: */*^" ^
  -H ^"accept-language: en^" ^
  -H ^"content-type: application/json^" ^
  -H ^"Referer: https://shop.test/^" ^
  -H ^"user-agent: Mozilla/5.0 (X11; Linux x86_64)^" ^
  --data-raw ^"^{^\^"name^\^":^\^"say ^\^\^\^"hi^\^\^\^"^\^",^\^"path^\^":^\^"C:^\^\^\^\temp^\^",^\^"price^\^":^\^"5 ^%^\^"^}^"`),
    ).toEqual(expected);
  });

  it('Chrome of before, cmd of Windows', () => {
    expect(
      optionsOf(
        'curl "https://trello.test/1/cards" --data-binary "^{^\\^"name^\\^":^\\^"hello world^\\^",^\\^"pos^\\^":65535,^\\^"idLabels^\\^":^[^]^}" --compressed',
      ),
    ).toMatchObject({ payload: { name: 'hello world', pos: 65535, idLabels: [] } });
  });

  it('Firefox', () => {
    expect(
      optionsOf(`curl 'https://shop.test/api/items?a=1&b=2' \\
  --compressed \\
  -X POST \\
  -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64)' \\
  -H 'accept: */*' \\
  -H 'accept-language: en' \\
  -H 'Accept-Encoding: gzip, deflate, br, zstd' \\
  -H 'Content-Type: application/json' \\
  -H 'Referer: https://shop.test/' \\
  -H 'Connection: keep-alive' \\
  -H 'TE: trailers' \\
  --data-raw '${json}'`),
    ).toEqual(expected);
  });

  it('Postman with a form of files', () => {
    const found = imported(`curl --location 'https://a.test/up' \\
--form 'file=@"/C:/Users/ada/report.pdf"' \\
--form 'note="two words"' \\
--form 'data=@a.json;type=application/json;filename=b.json'`);
    expect(found.options).toEqual({
      url: 'https://a.test/up',
      method: 'post',
      content_type: 'multipart/form-data',
      payload: {
        file: { filename: 'report.pdf', contents: '' },
        note: 'two words',
        data: { filename: 'b.json', content_type: 'application/json', contents: '' },
      },
    });
    expect(found.remarks).toHaveLength(2);
  });
});

describe('keys become credentials', () => {
  it.each([
    [
      "-H 'Authorization: Bearer abc.def'",
      'bearer',
      'abc.def',
      { headers: { Authorization: 'Bearer <<CREDENTIAL.a_test_token>>' } },
    ],
    [
      "-H 'authorization: token ghx'",
      'api key header',
      'ghx',
      { headers: { authorization: 'token <<CREDENTIAL.a_test_key>>' } },
    ],
    [
      "-H 'Authorization: SECRET'",
      'api key header',
      'SECRET',
      { headers: { Authorization: '<<CREDENTIAL.a_test_key>>' } },
    ],
    [
      "-H 'X-Api-Key: k3y'",
      'api key header',
      'k3y',
      { headers: { 'X-Api-Key': '<<CREDENTIAL.a_test_key>>' } },
    ],
    [
      "-H 'PRIVATE-TOKEN: glpat'",
      'api key header',
      'glpat',
      { headers: { 'PRIVATE-TOKEN': '<<CREDENTIAL.a_test_key>>' } },
    ],
    ["-H 'xi-api-key: 1'", 'api key header', '1', { headers: { 'xi-api-key': '<<CREDENTIAL.a_test_key>>' } }],
    ['-u ada:s3cret:x', 'basic', 's3cret:x', { basic_auth: ['ada', '<<CREDENTIAL.a_test_password>>'] }],
    ['-u sk_live:', 'basic', 'sk_live', { basic_auth: ['<<CREDENTIAL.a_test_password>>', ''] }],
    ['--digest -u ada:pw', 'basic', 'pw', { digest_auth: ['ada', '<<CREDENTIAL.a_test_password>>'] }],
    [
      '--oauth2-bearer tok',
      'bearer',
      'tok',
      { headers: { Authorization: 'Bearer <<CREDENTIAL.a_test_token>>' } },
    ],
    [
      '--aws-sigv4 aws:amz:us-east-1:s3 -u AKIA1:s3',
      'aws keys',
      's3',
      { headers: { Authorization: '<<CREDENTIAL.a_test_aws>>' } },
    ],
    [
      '--cert c.pem --key k.pem',
      'client certificate',
      '',
      { mutual_tls: '<<CREDENTIAL.a_test_certificate>>' },
    ],
  ])('%s', (given, kind, value, options) => {
    const found = imported(`curl https://a.test/ ${given}`);
    expect(found.options).toEqual({ url: 'https://a.test/', method: 'get', ...options });
    expect(found.secrets).toMatchObject([{ kind, value }]);
    if (value !== '') expect(JSON.stringify(found.options)).not.toContain(`"${value}"`);
  });

  it('in the address, the query and the body', () => {
    const found = imported(
      `curl 'https://ada:pw@api.shop.test:8443/x?api_key=k1&page_token=p' -H 'Content-Type: application/json' -d '{"auth":{"password":"p2"},"token_count":3}'`,
    );
    expect(found.options).toMatchObject({
      url: 'https://api.shop.test:8443/x',
      query_params: { api_key: '<<CREDENTIAL.shop_test_key>>', page_token: 'p' },
      payload: { auth: { password: '<<CREDENTIAL.shop_test_secret>>' }, token_count: 3 },
      basic_auth: ['ada', '<<CREDENTIAL.shop_test_password>>'],
    });
    expect(
      found.secrets.map(({ where, value, suggestion }) => [where, value, suggestion.allowed_hosts]),
    ).toEqual([
      ['basic_auth', 'pw', ['api.shop.test:8443']],
      ['payload.auth.password', 'p2', ['api.shop.test:8443']],
      ['query_params.api_key', 'k1', ['api.shop.test:8443']],
    ]);
  });

  it.each(['$TOKEN', '${TOKEN}', '<token>', '{{token}}', 'YOUR_API_KEY', '***'])(
    '%s is no secret',
    (placeholder) => {
      expect(imported(`curl https://a.test -H "X-Api-Key: ${placeholder}"`).secrets).toMatchObject([
        { value: '' },
      ]);
    },
  );

  it('under the name that a person has chosen, in the language of the story', () => {
    const names = { 'headers.X-Api-Key': 'My "key"' };
    const command = "curl https://a.test -H 'X-Api-Key: 1'";
    expect(imported(command, { names }).options['headers']).toEqual({
      'X-Api-Key': '<<CREDENTIAL["My \\"key\\""]>>',
    });
    expect(imported(command, { language: 'liquid' }).options['headers']).toEqual({
      'X-Api-Key': '{{ .CREDENTIAL.a_test_key }}',
    });
  });

  it('two of one kind have two names, the same one has one', () => {
    const { secrets } = imported(
      "curl https://a.test -H 'X-Api-Key: 1' -H 'X-App-Key: 2' -H 'X-Auth-Token: 1'",
    );
    expect(secrets.map(({ suggestion }) => suggestion.name)).toEqual([
      'a_test_key',
      'a_test_key_2',
      'a_test_key',
    ]);
  });
});

describe('options of curl', () => {
  it.each<[string, object]>([
    ['-XDELETE https://a.test/1', { url: 'https://a.test/1', method: 'delete' }],
    ['-sSLkI a.test/1', { url: 'http://a.test/1', method: 'head', disable_ssl_verification: true }],
    [
      '-G https://a.test -d q=a%20b -d c --data-urlencode "d=x y"',
      { url: 'https://a.test', method: 'get', query_params: { q: 'a b', c: null, d: 'x y' } },
    ],
    ['https://a.test --url-query n=1', { url: 'https://a.test', method: 'get', query_params: { n: '1' } }],
    [
      'https://a.test -d a=1 -d b=2 -d a=3',
      {
        url: 'https://a.test',
        method: 'post',
        content_type: 'application/x-www-form-urlencoded',
        payload: { a: ['1', '3'], b: '2' },
        params_encoder: 'flat',
      },
    ],
    [
      `--json '{"a":1}' https://a.test`,
      {
        url: 'https://a.test',
        method: 'post',
        content_type: 'application/json',
        payload: { a: 1 },
        headers: { Accept: 'application/json' },
      },
    ],
    [
      'https://a.test -A me/1 -e https://b.test -r 0-9',
      {
        url: 'https://a.test',
        method: 'get',
        headers: { Referer: 'https://b.test', Range: 'bytes=0-9' },
        user_agent: 'me/1',
      },
    ],
    [
      'https://a.test -m 1.5 --retry 3 -f --max-redirs 0',
      {
        url: 'https://a.test',
        method: 'get',
        timeout: 1.5,
        disable_redirect_follow: true,
        retry_on_status: ['0', '408', '429', '500', '502', '503', '504'],
        retries: 3,
        fail_on_status: true,
      },
    ],
    ['https://a.test -o out.json --compressed -v --http2 | jq .', { url: 'https://a.test', method: 'get' }],
    ['https://a.test > out.json 2>&1', { url: 'https://a.test', method: 'get' }],
    ['http://a.test/x?a=1&b=2', { url: 'http://a.test/x', method: 'get', query_params: { a: '1', b: '2' } }],
    ['https://a.test/x#part', { url: 'https://a.test/x', method: 'get' }],
    [
      "https://a.test -H 'Content-Type: text/xml' -d '<a/>'",
      { url: 'https://a.test', method: 'post', content_type: 'text/xml', payload: '<a/>' },
    ],
    [
      "https://a.test -H 'X-A: 1' -H 'x-a: 2' -H 'X-B:' -H 'X-C;'",
      { url: 'https://a.test', method: 'get', headers: { 'x-a': '1, 2' } },
    ],
    [
      "https://a.test -H 'Content-Type: application/json'",
      { url: 'https://a.test', method: 'get', headers: { 'Content-Type': 'application/json' } },
    ],
    ['https://a.test -d ""', { url: 'https://a.test', method: 'get' }],
  ])('%s', (given, options) => {
    expect(imported(`curl ${given}`)).toMatchObject({ options, remarks: [] });
    expect(optionsOf(`curl ${given}`)).toEqual(options);
  });

  it.each([
    ['-x proxy:3128 https://a.test', 'The proxy is left out: only the operator of this server can set one.'],
    ['--ntlm https://a.test', 'NTLM is not supported.'],
    ['https://a.test --next https://b.test', 'Only the first request is imported: --next begins another.'],
    ['https://a.test https://b.test', 'Only the first address is imported.'],
    ['https://a.test --frobnicate', 'curl has no option --frobnicate: it is left out.'],
    ['https://a.test -d @body.json', 'The content of the file body.json is left out.'],
    ['-T a.txt https://a.test', 'The content of the file a.txt is left out.'],
    ['https://a.test -b jar.txt', 'The cookies of the file jar.txt are left out.'],
    [
      "https://a.test -H 'Host: b.test'",
      'The header Host (b.test) is left out: requests have the host of their address.',
    ],
    ['"https://a.test/$ITEM_ID"', 'Shell variables are kept as text. Fill them in: $ITEM_ID.'],
    ["https://a.test -H 'X: y", 'A quote in the command is not closed. Something may be missing.'],
  ])('%s: %s', (given, remark) => {
    expect(imported(`curl ${given}`).remarks).toEqual([remark]);
  });

  it('a GET with a body becomes a POST', () => {
    const found = imported(
      `curl -X GET https://es.test/_search -H 'Content-Type: application/json' -d '{"query":{}}'`,
    );
    expect(found.options).toMatchObject({ method: 'post', payload: { query: {} } });
    expect(found.remarks).toHaveLength(1);
  });

  it('a here-document is the standard input', () => {
    const command = `curl https://a.test -H 'Content-Type: application/json' -d @- <<'EOF' | jq\n{"a": "it's"}\nEOF\n`;
    expect(imported(command)).toMatchObject({ options: { payload: { a: "it's" } }, remarks: [] });
  });

  it('numbers keep their digits', () => {
    expect(
      JSON.stringify(optionsOf(`curl https://a.test --json '{"id":12345678901234567890}'`)['payload']),
    ).toBe(JSON.rawJSON === undefined ? '{"id":12345678901234567000}' : '{"id":12345678901234567890}');
  });

  it.each(['', 'wget https://a.test', 'curl', 'curl -v', 'how to use it in a shell: what does curl do'])(
    'is none: %j',
    (text) => expect(importCurl(text, CONTEXT)).toMatchObject({ kind: 'none' }),
  );

  it.each(['$ curl https://a.test', 'TOKEN=x sudo /usr/bin/curl https://a.test', 'curl.exe https://a.test'])(
    'is one: %s',
    (text) => expect(optionsOf(text)).toEqual({ url: 'https://a.test', method: 'get' }),
  );
});
