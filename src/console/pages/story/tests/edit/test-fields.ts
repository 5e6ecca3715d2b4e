import { createContext, useContext, useEffect } from 'react';

/** Shared properties of the fields of a test. */
interface TestFields {
  isReadOnly: boolean;
  /** Is told whether the text of a field can be read, by the name of the field. */
  onBroken: (field: string, isBroken: boolean) => void;
}

/** The context of the fields of the open test. */
export const TestFieldsContext = createContext<TestFields>({
  isReadOnly: false,
  onBroken: () => undefined,
});

/** Returns what the fields of the open test share. */
export const useTestFields = () => useContext(TestFieldsContext);

/** Tells the test that a field cannot be read, for as long as it is so and there. */
export function useBroken(field: string, isBroken: boolean): void {
  const { onBroken } = useTestFields();
  useEffect(() => {
    onBroken(field, isBroken);
    return () => onBroken(field, false);
  }, [onBroken, field, isBroken]);
}
