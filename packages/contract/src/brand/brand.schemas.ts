import { z } from 'zod'
import { url } from '../fields.ts'
import { brandRadii } from './brand.ts'

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .transform((value) => value.toLowerCase())

const members = {
  /** Links, focus rings and the primary button derive from it. Its lightness changes on pages until texts can be read. */
  color: color.nullable(),
  /** The page's background. */
  background: color.nullable(),
  /** The corners of fields, buttons and cards. */
  radius: z.enum(brandRadii).nullable(),
}

/** How an installation or a selling organization looks; what is null keeps the product's own look. */
export const brand = z.object(members)

/** The look of an installation. */
export const installationBrand = z.object({ ...members, logo: z.string().nullable() })

/** Its change: members that are not named stay. The address of the logo begins with `https:` or `http:`. */
export const installationBrandChange = z.object({ ...members, logo: url.nullable() }).partial()

/** A change of it: members that are not named stay. */
export const brandChange = brand.partial()
