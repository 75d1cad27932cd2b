import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useDashboard } from '../context.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { isFieldError } from './field-errors.ts'
import { type ErrorOf, useFormErrors } from './form-errors.ts'
import { Refusals } from './refusals.tsx'

export type ActionDialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  text?: ReactNode
  submit: string
  /** Irreversible actions are red. */
  danger?: boolean
  /** The fields; the argument returns a field's error by name. */
  children?: (errorOf: ErrorOf) => ReactNode
  /** Makes the call. A FieldError appears at its field; any other error appears above the fields. */
  run: (form: FormData) => Promise<string | undefined>
  /** Validates before the call by throwing. After a refusal it runs again whenever a field loses focus. */
  check?: (form: FormData) => unknown
  /** False if the page navigates away and must not refresh. */
  invalidates?: boolean
}

/**
 * A confirmation dialog with the fields that the action needs. It runs the action, announces the text that `run`
 * returns and closes, or stays open with the error.
 */
export function ActionDialog({ opened, onClose, title, ...rest }: ActionDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ActionForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** A separate component, so that each opening starts with a fresh form. */
function ActionForm({
  onClose,
  text,
  submit,
  danger,
  children,
  run,
  check,
  invalidates = true,
}: Omit<ActionDialogProps, 'opened' | 'title'>) {
  const { queries } = useDashboard()
  const action = useMutation({
    mutationFn: run,
    onSuccess: async (done) => {
      onClose()
      if (done !== undefined) notifications.show({ message: done })
      // Lists, timelines and logs may all show the change; the quote of a change that is done cannot be read again.
      if (invalidates) await queries.invalidateQueries({ predicate: ({ meta }) => meta?.isQuote !== true })
    },
    onError: (error) => {
      // The action may have succeeded, or the page's data may be outdated.
      if (invalidates && !isFieldError(error)) void queries.invalidateQueries()
    },
  })
  const { fields, alert, errorOf, rest } = useFormErrors(action.error, check)

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!action.isPending) action.mutate(new FormData(event.currentTarget))
  }

  return (
    <form {...fields} onSubmit={onSubmit} className="fields" noValidate>
      <div className="fields">
        {text ? <p className="quiet">{text}</p> : null}
        <div role="alert" ref={alert} tabIndex={-1} className="alert-place">
          <Refusals messages={rest} />
        </div>
        {children?.(errorOf)}
      </div>
      <div className="actions end">
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <Button type="submit" {...(danger && { color: 'red' })} aria-disabled={action.isPending || undefined}>
          {action.isPending ? texts.dialog.working : submit}
        </Button>
      </div>
    </form>
  )
}
