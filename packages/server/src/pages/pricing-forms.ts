import { type Form, form } from './form.ts'

/** The buttons of a pricing page; they need no script. */
export const pricingForms: Readonly<Record<'pricing-choose', Form>> = {
  'pricing-choose': form(['/pricing/:slug'], [], async (visit, { productId, currency }) => {
    const { clientSecret } = await visit.billing('createStorefrontCheckout', {
      params: { slug: visit.params.slug },
      body: { productId, ...(currency && { currency }) },
    })
    return { to: `/checkout/${clientSecret}` }
  }),
}
