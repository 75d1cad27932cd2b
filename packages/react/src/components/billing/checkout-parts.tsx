import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import type { FormEvent, ReactNode, RefObject } from 'react'
import { Avatar } from '../../elements/avatar.tsx'
import { Button } from '../../elements/button.tsx'
import { LiveRegions } from '../../elements/screen.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
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

/** The ticket of a sale. On a narrow screen it folds to one line with the seller's picture, the name and the total. */
export function FoldingTicket({
  seller,
  name,
  total,
  isOpen,
  onFold,
  children,
}: {
  seller: Seller
  name: string
  total: ReactNode
  isOpen: boolean
  onFold: (isOpen: boolean) => void
  children: ReactNode
}) {
  const texts = useMessages('checkout')
  return (
    <aside data-tg="ticket" data-open={isOpen || undefined} aria-labelledby="tg-product">
      <button
        type="button"
        data-tg="ticket-fold"
        aria-expanded={isOpen}
        aria-controls="tg-ticket"
        onClick={() => onFold(!isOpen)}
      >
        <Avatar name={seller.name} image={seller.avatarUrl} />
        <span data-tg="ticket-name">
          {name}
          <small>{isOpen ? texts.detailsHide : texts.detailsShow}</small>
        </span>
        {total}
      </button>
      <div id="tg-ticket" data-tg="ticket-body">
        {children}
      </div>
    </aside>
  )
}

/** The part of a billing page that pays, below its notices. */
export function PayColumn({ alert, children }: { alert: string | undefined; children: ReactNode }) {
  const texts = useMessages('checkout')
  return (
    <div data-tg="checkout-main">
      <div data-tg="regions">
        <LiveRegions alert={alert} />
        <p data-scriptless="" data-tg="notice" data-tone="warn">
          {texts.needsScript}
        </p>
      </div>
      {children}
    </div>
  )
}

/** The form that pays: `children` are its fields, and `after` stands below the button. */
export function PayFrame({
  state: { form, pay },
  busy,
  isGuessing,
  label,
  onEdit,
  other,
  after,
  children,
}: {
  state: { form: RefObject<HTMLFormElement | null>; pay: () => Promise<unknown> }
  busy: boolean
  /** What stands below the country appears with its fields, so that it never moves by itself. */
  isGuessing?: boolean
  /** What the button says. */
  label: string
  /** Called with the name of the control that the buyer changes. */
  onEdit: (control: string) => void
  /** Another button below the one that pays. */
  other?: ReactNode
  after: ReactNode
  children: ReactNode
}) {
  const texts = useMessages('checkout')
  const hydrated = useHydrated()
  function submit(event: FormEvent) {
    event.preventDefault()
    void pay()
  }
  return (
    <form
      ref={form}
      id={payFormId}
      // A form that submits nowhere: before the script runs, a card number must not be posted.
      method="dialog"
      data-tg="checkout-form"
      data-guessing={isGuessing || undefined}
      onSubmit={submit}
      // Every control has a name, through which the form reads its value.
      onInput={({ target }) => onEdit((target as HTMLInputElement).name)}
      noValidate={hydrated}
    >
      {/* A sent form no longer changes; the button below keeps the focus. */}
      <div data-tg="groups" inert={busy}>
        {children}
      </div>
      <div data-tg="pay">
        <Button type="submit" look="primary" wide busy={busy} busyLabel={texts.paying}>
          {label}
        </Button>
        {other}
      </div>
      {after}
    </form>
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
