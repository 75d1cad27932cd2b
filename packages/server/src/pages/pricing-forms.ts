import type { Form } from './form.ts'

/** The buttons of a pricing page; they need no script. */
export const pricingForms: Readonly<Record<'pricing-choose', Form>> = {
  'pricing-choose': {
    pages: ['/pricing/:slug'],
    kept: [],
    submit: async ({ visit, values: { productId } }) => {
      const { clientSecret } = await visit.billing('createStorefrontCheckout', {
        params: { slug: visit.params.slug },
        body: { productId },
      })
      return { to: `/checkout/${clientSecret}` }
    },
  },
}
