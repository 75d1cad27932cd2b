import { z } from 'zod'
import { url } from '../fields.ts'
import { brandRadii } from './brand.ts'

const radius = z.enum(brandRadii).nullable()
const known = z.string().nullable()

/** How an installation or a selling organization looks; what is null keeps the product's own look. */
export const brand = z.object({ color: known, background: known, radius })

/** The look of an installation. */
export const installationBrand = brand.extend({ logo: known })

/** Stored and answered in small letters. */
const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .transform((value) => value.toLowerCase())
  .nullable()
const members = {
  color: color.describe('`#rrggbb`. Its lightness changes on pages until texts can be read.'),
  background: color,
  radius,
}

/** A change of a brand: members that are not named stay. */
export const brandChange = z.object(members).partial()

/** A change of an installation's brand. The address of the logo begins with `https:` or `http:`. */
export const installationBrandChange = z.object({ ...members, logo: url.nullable() }).partial()
