import { amountIn, moneyText } from '../../parts/money.tsx'
import type { ProductDraft } from './product-draft.ts'
import styles from './product-preview.module.css'
import { priceWords, productWords } from './products.texts.ts'

const words = productWords.preview

/** The card of the checkout page, as the fields mean it now. */
export function ProductPreview({ draft }: { draft: ProductDraft }) {
  const { name, description, interval, kind, medias, usage } = draft
  const picture = medias[0]
  const button = kind === 'free' ? words.start : interval === 'one_time' ? words.buy : words.subscribe
  return (
    <section className={`panel ${styles.preview}`} aria-label={words.title}>
      <div className="panel-head">
        <h2>{words.title}</h2>
      </div>
      <div className={styles.card}>
        {picture ? <img src={picture.publicUrl} alt="" /> : null}
        <strong className={styles.name}>{name.trim() || words.none}</strong>
        {description.trim() ? <p className={`quiet ${styles.text}`}>{description}</p> : null}
        <p className={styles.price}>{priceOf(draft)}</p>
        {usage.length > 0 && interval !== 'one_time' ? <p className="quiet">{words.usage}</p> : null}
        <p className={styles.total}>
          <span>{words.total}</span>
          <span>{totalOf(draft)}</span>
        </p>
        <span className={styles.button} aria-hidden="true">
          {button}
        </span>
      </div>
      <p className="quiet panel-text">{words.note}</p>
    </section>
  )
}

function priceOf({ kind, amount, minimum, currency, interval }: ProductDraft): string {
  if (kind === 'free') return productWords.kinds.free
  if (kind === 'none') return productWords.kinds.none
  if (kind === 'fixed')
    return (
      moneyText(amountIn(amount, currency) ?? 0, currency) +
      (interval === 'one_time' ? '' : ` ${priceWords.intervals[interval]}`)
    )
  const least = amountIn(minimum, currency)
  return least === undefined ? words.choose : `${words.choose} (≥ ${moneyText(least, currency)})`
}

/** What a checkout begins with: of a price that buyers choose the suggestion, else ten (billing contract, CHK-2). */
function totalOf({ kind, amount, preset, currency }: ProductDraft): string {
  if (kind === 'fixed') return moneyText(amountIn(amount, currency) ?? 0, currency)
  if (kind === 'custom') return moneyText(amountIn(preset, currency) ?? 1000, currency)
  return moneyText(0, currency)
}
