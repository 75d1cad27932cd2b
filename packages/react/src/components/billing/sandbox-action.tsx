import { useRef, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/overlay.tsx'
import { useMessages } from '../../provider.tsx'
import type { WaitingAction } from './checkout-processor.tsx'

/** The stand-in for 3-D Secure (interface, section 6): instead of a bank, the buyer chooses the outcome. */
export function SandboxAction({ state: { action, answerAction } }: { state: WaitingAction }) {
  const texts = useMessages('checkout')
  const [isClosed, setClosed] = useState(false)
  const [sending, setSending] = useState<'succeed' | 'fail'>()
  const opener = useRef<HTMLButtonElement>(null)
  const shown = action !== undefined
  const answer = async (outcome: 'succeed' | 'fail') => {
    setSending(outcome)
    await answerAction(outcome)
    setSending(undefined)
  }
  return (
    <>
      {shown && isClosed ? (
        <div data-tg="notice" data-tone="warn" role="status">
          {texts.actionWaiting}{' '}
          <button ref={opener} type="button" data-tg="button" data-look="quiet" onClick={() => setClosed(false)}>
            {texts.actionOpen}
          </button>
        </div>
      ) : null}
      <Dialog open={shown && !isClosed} onClose={() => setClosed(shown)} title={texts.actionTitle}>
        <p>{texts.actionText}</p>
        <div data-tg="actions">
          <Button
            look="primary"
            busy={sending === 'succeed'}
            waiting={sending !== undefined}
            busyLabel={texts.actionSending}
            onClick={() => void answer('succeed')}
          >
            {texts.actionComplete}
          </Button>
          <Button
            busy={sending === 'fail'}
            waiting={sending !== undefined}
            busyLabel={texts.actionSending}
            onClick={() => void answer('fail')}
          >
            {texts.actionFail}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
