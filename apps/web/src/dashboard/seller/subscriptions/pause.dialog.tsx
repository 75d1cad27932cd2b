import { NativeSelect, TextInput } from '@mantine/core'
import type { Subscription } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { QuotePanel, useQuote } from './quote-panel.tsx'
import { changed } from './subscription-refusals.ts'
import { subscriptionsWords } from './subscriptions.texts.ts'

const words = subscriptionsWords

type Props = { subscription: Subscription; opened: boolean; onClose: () => void }

type Credit = keyof typeof words.pause.credits
const isCredit = (text: string): text is Credit => Object.hasOwn(words.pause.credits, text)

/** Pauses a subscription, at the end of its period or at once, until a day or until the seller resumes it. */
export function PauseDialog({ subscription, ...frame }: Props) {
  const { billing } = useSeller()
  const { id } = subscription
  const [at, setAt] = useState<'period_end' | 'now'>('period_end')
  const [day, setDay] = useState('')
  const [credit, setCredit] = useState<Credit>('none')
  const asked = {
    at,
    resumesAt: day === '' ? null : `${day}T00:00:00Z`,
    ...(at === 'now' && credit !== 'none' && { credit }),
  }
  const preview = useQuote(id, { pause: asked }, frame.opened)

  async function pause() {
    const quoteId = preview.data?.id
    await changed(billing.pauseSubscription({ id, ...asked, ...(quoteId && { quoteId }) }))
    return at === 'now' ? words.pause.paused : words.pause.planned
  }

  return (
    <ActionDialog
      {...frame}
      title={words.pause.title}
      text={words.pause.text[at === 'now' ? 'now' : 'end']}
      submit={words.pause.submit}
      run={pause}
    >
      {(errorOf) => (
        <>
          <NativeSelect
            label={words.cancel.when}
            data={[
              { value: 'period_end', label: words.cancel.choices.end },
              { value: 'now', label: words.cancel.choices.now },
            ]}
            value={at}
            onChange={(event) => setAt(event.currentTarget.value === 'now' ? 'now' : 'period_end')}
            data-autofocus
          />
          <TextInput
            type="date"
            name="resumes_at"
            label={words.pause.resumesAt}
            description={words.pause.resumesAtHint}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
            error={errorOf('resumes_at')}
          />
          {at === 'now' ? (
            <NativeSelect
              name="credit"
              label={words.pause.credit}
              data={Object.entries(words.pause.credits).map(([value, label]) => ({ value, label }))}
              value={credit}
              onChange={({ currentTarget: { value } }) => {
                if (isCredit(value)) setCredit(value)
              }}
              error={errorOf('credit')}
            />
          ) : null}
          <QuotePanel preview={preview} subscription={subscription} />
        </>
      )}
    </ActionDialog>
  )
}

/** Resumes a paused subscription, or cancels a pause that has not begun. */
export function ResumeDialog({ subscription: { id, pausedAt }, ...frame }: Props) {
  const { billing } = useSeller()
  const { title, text, button, done, keepTitle, keepText, keepButton, kept } = words.resume
  const isPaused = pausedAt !== null
  return (
    <ActionDialog
      {...frame}
      title={isPaused ? title : keepTitle}
      text={isPaused ? text : keepText}
      submit={isPaused ? button : keepButton}
      run={async () => {
        await changed(billing.resumeSubscription({ id }))
        return isPaused ? done : kept
      }}
    />
  )
}
