import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BillingAnswer, Product } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { moneyText } from '../../parts/money.tsx'
import { Waiting } from '../../parts/states.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import { productWords } from './products.texts.ts'

const words = productWords.priceChange

type Props = { product: Product; opened: boolean; onClose: () => void }

/** Changes the price for those who have subscribed already. Whom it concerns, and what it brings, stands below the fields. */
export function PriceChangeDialog({ product: { id: productId }, ...frame }: Props) {
  const { billing } = useSeller()
  const [day, setDay] = useState('')
  const [noticeText, setNotice] = useState('30')
  const noticeDays = /^\d{1,2}$/.test(noticeText.trim()) && Number(noticeText) <= 90 ? Number(noticeText) : undefined
  const isAsked = day !== '' && noticeDays !== undefined
  const change = { productId, startsAt: `${day}T00:00:00Z`, noticeDays: noticeDays ?? 0 }
  const preview = useQuery({
    ...itemQuery(['price-change-preview', productId, day, noticeDays], (options) =>
      billing.previewPriceChange(change, options),
    ),
    enabled: frame.opened && isAsked,
    retry: false,
    staleTime: 0,
  })

  function check() {
    if (day === '') throw new FieldError('starts_at', words.dayMissing)
    if (noticeDays === undefined) throw new FieldError('notice_days', words.noticeWrong)
  }

  return (
    <ActionDialog
      {...frame}
      title={words.title}
      text={words.text}
      submit={words.submit}
      check={check}
      run={async () => {
        check()
        await answerOf(billing.createPriceChange(change))
        return words.planned
      }}
    >
      {(errorOf) => (
        <>
          <TextInput
            type="date"
            name="starts_at"
            label={words.startsAt}
            description={words.startsAtHint}
            value={day}
            error={errorOf('starts_at')}
            onChange={(event) => setDay(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            name="notice_days"
            label={words.noticeDays}
            description={words.noticeHint}
            inputMode="numeric"
            value={noticeText}
            error={errorOf('notice_days')}
            onChange={(event) => setNotice(event.currentTarget.value)}
          />
          {isAsked ? (
            <section aria-label={words.preview} className="panel" aria-live="polite" aria-busy={preview.isFetching}>
              {preview.error ? <p className="panel-text">{preview.error.message}</p> : null}
              {!preview.data && !preview.error ? <Waiting label={words.loading} rows={2} /> : null}
              {preview.data ? <Sums amounts={preview.data.amounts} /> : null}
            </section>
          ) : null}
        </>
      )}
    </ActionDialog>
  )
}

/** What a period costs all subscribers together, before and after, in each currency. */
function Sums({ amounts }: Pick<BillingAnswer<'previewPriceChange'>, 'amounts'>) {
  if (amounts.length === 0) return <p className="panel-text">{words.nothing}</p>
  return (
    <ul className="rows">
      {amounts.map(({ currency, subscriptionsCount, amountBefore, amountAfter }) => (
        <li key={currency}>
          <span className="grow">
            {words.subscribers(subscriptionsCount)}
            <span className="quiet block">{words.sumNote}</span>
          </span>
          <span>{words.sum(moneyText(amountBefore, currency), moneyText(amountAfter, currency))}</span>
        </li>
      ))}
    </ul>
  )
}
