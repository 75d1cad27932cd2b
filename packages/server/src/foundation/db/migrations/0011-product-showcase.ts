import { addColumns, flag, integer, json, type Migration, withDefault } from './migration.ts'

/** How the pricing page shows a product: its features, its highlight, and its place. Existing products keep their order. */
export const productShowcase: Migration = {
  name: '0011-product-showcase',
  steps: [
    addColumns('product', {
      features: withDefault(json, '[]'),
      is_highlighted: withDefault(flag, false),
      position: withDefault(integer, 0),
    }),
  ],
}
