import { useEffect, useState } from 'react'
import { Skeleton } from '../../elements/status.tsx'
import { useMessages, useTollgateContext } from '../../provider.tsx'
import { FieldGroup } from './checkout-parts.tsx'
import type { ProcessorFormProps, ProcessorModule } from './processor-form.ts'
import type { CheckoutState } from './use-checkout.ts'

/** What the form of a processor needs of the page that it is on. */
type ProcessorState = Pick<CheckoutState, 'errors' | 'forget' | 'loadProcessor' | 'processorForm' | 'wallet'> & {
  readonly checkout: ProcessorFormProps['checkout'] & Pick<CheckoutState['checkout'], 'paymentProcessorMetadata'>
}

/** The answer that a payment waits for. */
export type WaitingAction = Pick<CheckoutState, 'action' | 'answerAction' | 'confirmAction'>

/**
 * The card form of a processor that keeps cards to itself. Other fields keep their values while it loads, fails and
 * loads again.
 */
export function ProcessorForm({ state, legal }: { state: ProcessorState; legal: ProcessorFormProps['legal'] }) {
  const { checkout, errors, forget, loadProcessor, processorForm, wallet } = state
  const { locale } = useTollgateContext()
  const texts = useMessages('checkout')
  const [module, setModule] = useState<ProcessorModule>()
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const { publishable_key: publishableKey = '', payment_method_types: methodTypes = '' } =
    checkout.paymentProcessorMetadata

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks once more
  useEffect(() => {
    let isOver = false
    loadProcessor()
      .then((loaded) => isOver || setModule(loaded))
      .catch(() => isOver || setStatus('failed'))
    return () => {
      isOver = true
    }
  }, [loadProcessor, attempt])

  const again = () => {
    setModule(undefined)
    setStatus('loading')
    setAttempt(attempt + 1)
  }
  const error = errors.cardNumber
  return (
    <FieldGroup id="tg-payment" title={texts.payment}>
      {checkout.isPaymentRequired ? null : <p data-tg="hint">{texts.setup}</p>}
      {publishableKey.startsWith('pk_test_') ? <p data-tg="test-mode">{texts.testMode}</p> : null}
      {status === 'loading' ? <Skeleton rows={3} label={texts.formLoading} /> : null}
      {status === 'failed' ? (
        <div role="alert" data-tg="notice" data-tone="danger">
          {texts.formFailed}{' '}
          <button type="button" data-tg="button" data-look="quiet" onClick={again}>
            {texts.retry}
          </button>
        </div>
      ) : null}
      {module && status !== 'failed' ? (
        <div data-tg="processor-form" data-invalid={error ? true : undefined}>
          <module.Form
            key={attempt}
            publishableKey={publishableKey}
            methodTypes={methodTypes.split(',')}
            locale={locale}
            checkout={checkout}
            handle={processorForm}
            onReady={() => setStatus('ready')}
            onFailed={() => setStatus('failed')}
            onChange={() => forget('cardNumber')}
            wallet={wallet}
            legal={legal}
          />
        </div>
      ) : null}
      {error ? (
        <p data-tg="field-error" aria-invalid="true" tabIndex={-1}>
          {error}
        </p>
      ) : null}
    </FieldGroup>
  )
}

/** Opens the bank's challenge at once. If its window fails or is closed, the buyer can open it again. */
export function ProcessorAction({ state: { action, confirmAction } }: { state: WaitingAction }) {
  const texts = useMessages('checkout')
  const [asked, setAsked] = useState<string>()
  const [hasFailed, setFailed] = useState(false)

  useEffect(() => {
    if (action === undefined || action === asked) return
    setAsked(action)
    setFailed(false)
    confirmAction(action).catch(() => setFailed(true))
  }, [action, asked, confirmAction])

  if (action === undefined || !hasFailed) return null
  return (
    <div data-tg="notice" data-tone="warn" role="status">
      {texts.actionWaiting}{' '}
      <button type="button" data-tg="button" data-look="quiet" onClick={() => setAsked(undefined)}>
        {texts.actionOpen}
      </button>
    </div>
  )
}
