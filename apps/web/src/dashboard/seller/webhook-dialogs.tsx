import { NativeSelect, TextInput } from '@mantine/core'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useSeller } from '../context.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { FieldError } from '../parts/field-errors.ts'
import { textOf } from '../parts/form.ts'
import { answerOf } from '../queries/answer.ts'
import { webhookWords } from './webhooks.texts.ts'

type Props = {
  endpoint: WebhookEndpoint
  opened: boolean
  onClose: () => void
  /** Something is on its way: what comes of it can be looked for. */
  onSent: () => void
}

/** Sends an event to this endpoint alone. */
export function TestDialog({ endpoint, onSent, ...frame }: Props) {
  const { billing } = useSeller()
  const { test: words } = webhookWords
  async function send(form: FormData) {
    const type = endpoint.events.find((each) => each === textOf(form, 'type'))
    const event = await answerOf(billing.testWebhookEndpoint({ id: endpoint.id, ...(type && { type }) }))
    onSent()
    return words.done(event.type)
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={send}>
      {(errorOf) => (
        <NativeSelect
          name="type"
          label={words.type}
          data={[{ value: '', label: words.any }, ...endpoint.events.map((value) => ({ value, label: value }))]}
          error={errorOf('type')}
          data-autofocus
        />
      )}
    </ActionDialog>
  )
}

export type ReplayOf = 'failed' | 'all'

/** A day, in milliseconds: what went wrong last night is sent again by one press. */
const aDay = 86_400_000

/** Sends again what has happened since a moment. */
export function ReplayDialog({ endpoint: { id }, of, onSent, ...frame }: Props & { of: ReplayOf }) {
  const { billing, now } = useSeller()
  const { replay: words } = webhookWords
  async function send(form: FormData) {
    const since = new Date(textOf(form, 'since'))
    if (Number.isNaN(since.getTime()) || since.getTime() > now()) throw new FieldError('since', words.sinceWrong)
    const onlyFailed = textOf(form, 'what') === 'failed'
    const { count } = await answerOf(billing.replayWebhookEvents({ id, since: since.toISOString(), onlyFailed }))
    onSent()
    return words.done(count)
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={send}>
      {(errorOf) => (
        <>
          <TextInput
            name="since"
            type="datetime-local"
            label={words.since}
            defaultValue={localText(now() - aDay)}
            error={errorOf('since')}
            data-autofocus
          />
          <NativeSelect
            name="what"
            label={words.what}
            data={(['failed', 'all'] as const).map((value) => ({ value, label: words.whats[value] }))}
            defaultValue={of}
          />
        </>
      )}
    </ActionDialog>
  )
}

/** A moment as a field of the viewer's own time holds it: to the minute. */
function localText(at: number): string {
  const moment = new Date(at)
  return new Date(at - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
