import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import { format, type Messages, OrganizationMark, PricingTable, Screen, SellerLine } from '@tollgate/react'
import { Frame } from './frame.tsx'

export type PricingProps = { data: PageData<'pricing'>; messages: Messages; client: EntranceClient }

/** The pricing page. It needs no script: its buttons are forms, its switch is CSS. */
export function PricingPage(props: PricingProps) {
  const { storefront, currency, locale, state } = props.data
  const { organization, products } = storefront
  const texts = props.messages.pricing
  if (products.length === 0)
    return (
      <Frame {...props}>
        <Screen
          title={texts.nothingTitle}
          text={format(texts.nothingText, locale, { seller: organization.name })}
          brand={<OrganizationMark name={organization.name} image={organization.avatarUrl} />}
        />
      </Frame>
    )
  return (
    <Frame {...props} className="pricing">
      <div data-tg="storefront">
        <SellerLine seller={organization}>{format(texts.soldBy, locale, { seller: organization.name })}</SellerLine>
        <h1 data-tg="title">{texts.title}</h1>
        {state?.code ? (
          <div role="alert" data-tg="notice" data-tone="danger">
            {texts.gone}
          </div>
        ) : null}
        <PricingTable
          organization={organization.slug}
          storefront={storefront}
          {...(currency !== undefined && { currency })}
        />
      </div>
    </Frame>
  )
}
