import { addColumns, change, type Migration, nullable, text, uniqueIndex, withCheck, withDefault } from './migration.ts'

const both = (statement: string) => change({ sqlite: statement, postgres: statement })

/** Products with prices in several currencies, of which a checkout chooses one. */
export const priceCurrencies: Migration = {
  name: '0020-price-currencies',
  steps: [
    // Null: the first price of a product names its default.
    addColumns('merchant', { default_currency: nullable(text) }),
    addColumns('checkout', {
      currency_choice: withCheck(
        withDefault(text, 'automatic'),
        "currency_choice in ('automatic', 'explicit', 'fixed')",
      ),
    }),
    // A checkout that has been confirmed once keeps its currency.
    both(`update checkout set currency_choice = 'fixed'
      where confirmed_at is not null or exists (select 1 from payment
      where payment.organization_id = checkout.organization_id and payment.checkout_id = checkout.id)`),
    uniqueIndex('product_price_currency', 'product_price', ['product_id', 'price_currency'], {
      where: "is_archived = false and amount_type <> 'metered_unit'",
    }),
    uniqueIndex('product_price_meter', 'product_price', ['product_id', 'meter_id', 'price_currency'], {
      where: "is_archived = false and amount_type = 'metered_unit'",
    }),
  ],
}
