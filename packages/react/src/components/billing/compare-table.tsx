import type { Storefront } from '@tollgate/contract/billing-types'
import { useMessages } from '../../provider.tsx'
import { type Interval, usePriceTexts } from './price-text.ts'

type Plan = Storefront['products'][number]

/**
 * Compares the plans: a column for each plan, and a row for each feature. Equal texts are the same feature. Renders
 * nothing if the cards suffice: with fewer than three plans, or if no two of them share a feature that others lack.
 */
export function CompareTable({
  plans,
  popular,
  intervalOf,
}: {
  plans: readonly Plan[]
  /** The ids of the plans that stand out. */
  popular: ReadonlySet<string>
  /** The interval that a plan's column is shown for; undefined for each. */
  intervalOf: (plan: Plan) => Interval | undefined
}) {
  const texts = useMessages('pricing')
  const { priceText } = usePriceTexts()
  const features = comparedFeatures(plans)
  /** The interval that all of some plans are shown for, if it is one. */
  const intervalOfAll = (some: readonly Plan[]) => {
    const [first, ...others] = new Set(some.map(intervalOf))
    return others.length === 0 ? first : undefined
  }
  if (features.length === 0) return null
  return (
    <section data-tg="compare" aria-labelledby="tg-compare">
      <h2 id="tg-compare" data-tg="offers-title">
        {texts.compare}
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.feature}</th>
            {plans.map((plan) => (
              <th
                key={plan.id}
                scope="col"
                data-interval={intervalOf(plan)}
                data-popular={popular.has(plan.id) || undefined}
              >
                {plan.name}
                <small suppressHydrationWarning>{priceText(plan)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {features.map((feature) => (
            <tr key={feature} data-interval={intervalOfAll(plans.filter((plan) => plan.features.includes(feature)))}>
              <th scope="row">{feature}</th>
              {plans.map((plan) => {
                const isIncluded = plan.features.includes(feature)
                return (
                  <td key={plan.id} data-interval={intervalOf(plan)}>
                    <span data-tg={isIncluded ? 'included' : 'missing'} aria-hidden="true" />
                    <span data-tg="visually-hidden">{isIncluded ? texts.included : texts.notIncluded}</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The features to compare, each once: first those that most plans have. */
export function comparedFeatures(plans: readonly Plan[]): string[] {
  if (new Set(plans.map(({ name }) => name)).size < 3) return []
  const counts = new Map<string, number>()
  for (const feature of plans.flatMap((plan) => [...new Set(plan.features)]))
    counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const isShared = [...counts.values()].some((count) => count > 1 && count < plans.length)
  return isShared ? [...counts.keys()].toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0)) : []
}
