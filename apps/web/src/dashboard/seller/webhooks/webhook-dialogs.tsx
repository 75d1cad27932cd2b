import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
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
export function ReplayDialog({ endpoint, of, onSent, ...frame }: Props & { of: ReplayOf }) {
  const { billing, now } = useSeller()
  const { replay: words } = webhookWords
  const sinceOf = (form: FormData) => {
    const since = momentIn(textOf(form, 'since'), now(), beginOf(endpoint, of))
    if (!since) throw new FieldError('since', words.sinceWrong)
    return since
  }
  async function send(form: FormData) {
    const onlyFailed = textOf(form, 'what') === 'failed'
    const body = { since: sinceOf(form), onlyFailed }
    const { count } = await answerOf(billing.replayWebhookEvents({ id: endpoint.id, ...body }))
    onSent()
    return words.done(count)
  }
  return (
    <ActionDialog {...frame} title={words.title} text={words.text} submit={words.submit} run={send} check={sinceOf}>
      {(errorOf) => <ReplayFields endpoint={endpoint} of={of} errorOf={errorOf} />}
    </ActionDialog>
  )
}

type ReplayFieldsProps = { endpoint: WebhookEndpoint; of: ReplayOf; errorOf: ErrorOf }

/** Since when, and what; and how many events that comes to. */
function ReplayFields({ endpoint, of, errorOf }: ReplayFieldsProps) {
  const { billing, now } = useSeller()
  const { replay: words } = webhookWords
  const [since, setSince] = useState(() => localText(beginOf(endpoint, of) ?? now() - aDay))
  const [what, setWhat] = useState<ReplayOf>(of)
  const at = momentIn(since, now(), beginOf(endpoint, of))
  const body = { since: at ?? '', onlyFailed: what === 'failed', dryRun: true }
  const { data } = useQuery({
    ...itemQuery(['replay', endpoint.id, body], () => billing.replayWebhookEvents({ id: endpoint.id, ...body })),
    enabled: at !== undefined && endpoint.enabled,
    staleTime: 0,
  })
  return (
    <>
      <TextInput
        name="since"
        type="datetime-local"
        label={words.since}
        value={since}
        error={errorOf('since')}
        onChange={(event) => setSince(event.currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        name="what"
        label={words.what}
        data={(['failed', 'all'] as const).map((value) => ({ value, label: words.whats[value] }))}
        value={what}
        onChange={(event) => setWhat(event.currentTarget.value === 'all' ? 'all' : 'failed')}
      />
      <p role="status" className="quiet">
        {data ? words.count(data.count) : endpoint.enabled ? '…' : null}
      </p>
    </>
  )
}

/** Since when something is missing, where that is known: what did not come through begins there. */
function beginOf({ missedSince, failingSince }: WebhookEndpoint, of: ReplayOf): number | undefined {
  const moments = [missedSince, failingSince].filter((at) => at !== null).map(Date.parse)
  return of === 'failed' && moments.length > 0 ? Math.min(...moments) : undefined
}

/** A moment in the past that a field means, as the API writes it; the very one that was proposed, which it holds to the minute. */
function momentIn(text: string, now: number, proposed: number | undefined): string | undefined {
  const at = proposed !== undefined && text === localText(proposed) ? proposed : new Date(text).getTime()
  return Number.isNaN(at) || at > now ? undefined : new Date(at).toISOString()
}

/** A moment as a field of the viewer's own time holds it: to the minute. */
function localText(at: number): string {
  const moment = new Date(at)
  return new Date(at - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
