import type { CheckoutPublic } from '@tollgate/contract/billing-types'
import { ButtonLink } from '../../elements/button.tsx'
import { OrganizationMark } from '../../elements/organization-mark.tsx'
import { Screen } from '../../elements/screen.tsx'
import { useMessages, useText } from '../../provider.tsx'

export type CheckoutClosedProps = {
  status: 'expired' | 'failed'
  seller?: CheckoutPublic['organization']
  /** The product that it offered. */
  product?: string
  /** The seller's return address. */
  back?: string | null
}

/** Replaces a checkout that can no longer be paid. */
export function CheckoutClosed({ status, seller, product, back }: CheckoutClosedProps) {
  const texts = useMessages('checkout')
  const t = useText()
  const website = back ?? seller?.website
  const told = product ? (
    <>
      <strong>{product}</strong>
      <br />
      {texts[`${status}Text`]}
    </>
  ) : (
    texts[`${status}Text`]
  )
  return (
    <Screen
      title={texts[`${status}Title`]}
      text={told}
      {...(seller && { brand: <OrganizationMark name={seller.name} image={seller.avatarUrl} /> })}
    >
      <div data-tg="form">
        {status === 'failed' && seller?.email ? (
          <ButtonLink href={`mailto:${seller.email}`} look="primary" wide>
            {t(texts.writeTo, { seller: seller.name })}
          </ButtonLink>
        ) : null}
        {seller && website ? (
          <ButtonLink href={website} wide>
            {t(texts.backTo, { seller: seller.name })}
          </ButtonLink>
        ) : null}
      </div>
    </Screen>
  )
}
