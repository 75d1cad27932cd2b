import type { Brand } from '@tollgate/contract/brand'

/** A brand as its fields hold it: what is empty keeps the usual look. */
export type BrandDraft = {
  readonly color: string
  readonly background: string
  readonly radius: Brand['radius']
}

export const brandDraft = ({ color, background, radius }: Brand): BrandDraft => ({
  color: color ?? '',
  background: background ?? '',
  radius,
})

/** What is sent. A text that is no color is sent as it is: the server refuses it beside its field. */
export const brandValues = ({ color, background, radius }: BrandDraft): Brand => ({
  color: color.trim() || null,
  background: background.trim() || null,
  radius,
})

/** The brand that the fields name so far; a color that is still being typed counts as none. */
export const shownBrand = ({ color, background, radius }: BrandDraft): Brand => ({
  color: isColor(color) ? color : null,
  background: isColor(background) ? background : null,
  radius,
})

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)
