import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { Avatar } from '../../elements/avatar.tsx'
import { useMessages } from '../../provider.tsx'

/** Parts that the billing pages share. */

/** The id by which buttons outside the form submit it. */
export const payFormId = 'tg-pay-form'

type Seller = Pick<CheckoutPublic['organization'], 'name' | 'avatarUrl'>

/** The seller of the page: picture, name, and what they do. */
export function SellerLine({ seller, children }: { seller: Seller; children: ReactNode }) {
  return (
    <p data-tg="seller">
      <Avatar name={seller.name} image={seller.avatarUrl} />
      <span>{children}</span>
    </p>
  )
}

/** A ledger line: label and amount. An `empty` line keeps its space. */
export function LedgerLine({
  label,
  look,
  empty,
  children,
}: {
  label: ReactNode
  look?: 'total' | 'quiet'
  empty?: boolean
  children: ReactNode
}) {
  return (
    <div data-look={look} data-empty={empty || undefined} aria-hidden={empty || undefined}>
      <dt>{label}</dt>
      <dd suppressHydrationWarning>{children}</dd>
    </div>
  )
}

/** A group of fields with its heading; `aside` stands at the end of the heading's line. */
export function FieldGroup({
  id,
  title,
  aside,
  children,
}: {
  id: string
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section data-tg="group" aria-labelledby={id}>
      <div data-tg="group-head">
        <h2 id={id} data-tg="group-title">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Replaces the form for a buyer who reloads the page after the payment. */
export function Confirming() {
  const texts = useMessages('checkout')
  return (
    <section data-tg="confirming" aria-labelledby="tg-confirming">
      <h2 id="tg-confirming" data-tg="group-title">
        {texts.confirmingTitle}
      </h2>
      <p>{texts.confirmingText}</p>
    </section>
  )
}
