/**
 * Entry `brand`: how an installation or a selling organization looks on pages and in mails. Nothing here may import zod.
 */
export const brandRadii = ['square', 'soft', 'round'] as const
export type BrandRadius = (typeof brandRadii)[number]

/** A brand; what is null keeps the product's own look. Colors are `#rrggbb`. */
export type Brand = {
  /** Links, focus rings and the primary button derive from it. */
  readonly color: string | null
  /** The page's background in the light scheme; the dark scheme takes its hue. */
  readonly background: string | null
  readonly radius: BrandRadius | null
}

export const noBrand: Brand = { color: null, background: null, radius: null }

/** The look of an installation: every page has it, and those of a seller unless the seller has a look of their own. */
export type InstallationBrand = Brand & {
  /** The address of a picture, in place of the product's mark. */
  readonly logo: string | null
}

/** A seller's brand; what it leaves open follows the installation. */
export const brandOver = (seller: Brand, installation: Brand): Brand => ({
  color: seller.color ?? installation.color,
  background: seller.background ?? installation.background,
  radius: seller.radius ?? installation.radius,
})
