import { Textarea } from '@mantine/core'
import { useDashboard } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import { moneyText } from '../../parts/money.tsx'
import { answerOf } from '../../queries/answer.ts'
import { attention } from '../texts.ts'
import type { Entry } from './attention.page.tsx'

const words = attention.resolve

/** Asks how an entry was settled: the note is all that the next administrator has. */
export function ResolveDialog({ entry, ...frame }: { entry: Entry; opened: boolean; onClose: () => void }) {
  const { client } = useDashboard()
  const noteIn = (form: FormData): string => {
    const note = textOf(form, 'note')
    if (note === '') throw new FieldError('note', words.noteMissing)
    return note
  }
  return (
    <ActionDialog
      {...frame}
      title={words.title(moneyText(entry.amount, entry.currency))}
      text={words.text}
      submit={words.submit}
      check={noteIn}
      run={async (form) => {
        await answerOf(client.adminResolveAttention({ attentionId: entry.id, note: noteIn(form) }))
        return words.done
      }}
    >
      {(errorOf) => (
        <Textarea
          name="note"
          label={words.note}
          description={words.noteHint}
          maxLength={1000}
          rows={3}
          autoComplete="off"
          error={errorOf('note')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}
