import { type LooseKeys, useForm } from '@mantine/form'
import { useState } from 'react'
import { wirePath } from './contract-body.ts'
import type { ErrorOf } from './form-errors.ts'

/** The props of a form's fields. */
export type Fields<Draft> = {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  errorOf: ErrorOf
  /** Value, change and error of the field at a path; of a member that has the body's name. */
  input: (path: LooseKeys<Draft>, options?: { type: 'checkbox' }) => Record<string, unknown>
}

/** A form's unsaved values, and whether they differ from the saved ones. */
export function useDraft<Draft extends object>(begin: () => Draft) {
  const [initialValues] = useState(begin)
  const form = useForm<Draft>({ initialValues })
  return {
    draft: form.values,
    isChanged: form.isDirty(),
    change: (changes: Partial<Draft>) => form.setValues(changes),
    /** The saved values from the server. */
    settle: (saved: Draft) => {
      form.setValues(saved)
      form.resetDirty(saved)
    },
    /** What the fields take, with the errors of the form. */
    fieldsWith: (errorOf: ErrorOf): Fields<Draft> => ({
      draft: form.values,
      change: (changes) => form.setValues(changes),
      errorOf,
      input: (path, options) => ({
        ...form.getInputProps(path, { ...options, withError: false }),
        error: errorOf(wirePath(String(path).split('.'))),
      }),
    }),
  }
}
