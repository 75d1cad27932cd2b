import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { useDashboard } from '../context.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { isFieldError } from './field-errors.ts'
import { type ErrorOf, useFormErrors } from './form-errors.ts'
import { Refusals } from './refusals.tsx'

type Props = {
  submit: string
  isChanged: boolean
  /** False if the viewer may only read. */
  mayWrite: boolean
  /** Makes the call and updates the draft; returns the announcement. Throws on errors. */
  save: () => Promise<string>
  /** Validates before the call by throwing. After a refusal it runs again whenever a field loses focus. */
  check?: () => unknown
  children: (errorOf: ErrorOf) => ReactNode
  /** Beside the fields on wide screens, such as a preview. */
  aside?: ReactNode
}

/**
 * A page that is a form. It saves and announces success, or shows each field's error. Leaving with unsaved changes
 * asks for confirmation.
 */
export function Editor({ submit, isChanged, mayWrite, save, check, children, aside }: Props) {
  const { queries } = useDashboard()
  // Values that were just saved are not lost, even before the page renders them.
  const isSaved = useRef(false)
  const action = useMutation({
    mutationFn: save,
    onMutate: () => {
      isSaved.current = false
    },
    onSuccess: (done) => {
      isSaved.current = true
      notifications.show({ message: done })
      return queries.invalidateQueries({ queryKey: ['billing'] })
    },
    onError: (error) => {
      // The change may have been saved.
      if (!isFieldError(error)) void queries.invalidateQueries({ queryKey: ['billing'] })
    },
  })
  const { fields, alert, errorOf, rest } = useFormErrors(action.error, check)
  const mayBeLost = isChanged && mayWrite
  const blocker = useBlocker({
    shouldBlockFn: () => mayBeLost && !isSaved.current,
    enableBeforeUnload: () => mayBeLost && !isSaved.current,
    withResolver: true,
  })

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!action.isPending) action.mutate()
  }

  return (
    <form {...fields} onSubmit={onSubmit} className="editor" noValidate>
      <div role="alert" ref={alert} tabIndex={-1} className="alert-place">
        <Refusals messages={rest} />
      </div>
      <div className={aside ? 'columns' : undefined}>
        <div className="column">
          {children(errorOf)}
          {mayWrite ? (
            <div className="actions">
              <Button type="submit" aria-disabled={action.isPending || undefined}>
                {action.isPending ? texts.dialog.working : submit}
              </Button>
            </div>
          ) : null}
        </div>
        {aside ? <div className="column">{aside}</div> : null}
      </div>
      <Dialog opened={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} title={texts.form.leaveTitle}>
        <p className="quiet">{texts.form.leave}</p>
        <div className="actions end">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {texts.form.leaveAnyway}
          </Button>
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            {texts.form.stay}
          </Button>
        </div>
      </Dialog>
    </form>
  )
}
