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
  /** What cannot be undone is red. */
  danger?: boolean
  /** The fields; asked with the name of a field, it answers what is wrong with it. */
  children?: (errorOf: ErrorOf) => ReactNode
  /** Makes the call. FieldError says what is wrong with a field; every other error stands above the fields. */
  run: (form: FormData) => Promise<string | undefined>
  /** Throws what is wrong before any call is made: asked again, once it was refused, when a field is left. */
  check?: (form: FormData) => unknown
  /** False where the page is left anyway, and nothing of it may be read again. */
  invalidates?: boolean
}

/**
 * Asks before something is done, with the fields that it needs. Does it, says so (in the words that `run` answers with) and
 * closes; or stays, and says why not.
 */
export function ActionDialog({ opened, onClose, title, ...rest }: ActionDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ActionForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** Apart from the dialog, so that each opening begins with a fresh form. */
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
      // Whatever it was, lists, timelines and the log may tell of it.
      if (invalidates) await queries.invalidateQueries()
    },
    onError: (error) => {
      // It may have been done all the same, or was refused because things are not as the page shows them.
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
      {text ? <p className="quiet">{text}</p> : null}
      <div role="alert" ref={alert} tabIndex={-1} className="alert-place">
        <Refusals messages={rest} />
      </div>
      {children?.(errorOf)}
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
