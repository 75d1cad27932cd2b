import type { PageMessages } from '@tollgate/react'
import { type ComponentType, lazy, Suspense } from 'react'
import '@tollgate/react/styles.css'
import '@tollgate/react/checkout.css'
import { language } from '../../language.ts'
import type { ProductDraft } from './product-draft.ts'
import styles from './product-preview.module.css'
import { productWords } from './products.texts.ts'

const words = productWords.preview

/** The checkout's texts in the dashboard's languages. */
const messagesOf: Readonly<Record<string, () => Promise<PageMessages>>> = {
  en: async () => (await import('@tollgate/react/locales/en')).en,
  de: async () => (await import('@tollgate/react/locales/de')).de,
}

type Props = { draft: ProductDraft }

const Ticket = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
  try {
    const [{ ProductTicket }, messages] = await Promise.all([
      import('./product-ticket.tsx'),
      (messagesOf[language] ?? messagesOf.en!)(),
    ])
    return { default: ({ draft }: Props) => <ProductTicket draft={draft} messages={messages} /> }
  } catch {
    // The editor is of use without it.
    return { default: () => null }
  }
})

/** The ticket of the checkout page with the seller's look, as the fields mean it now. */
export function ProductPreview({ draft }: Props) {
  return (
    <section className={`panel ${styles.preview}`} aria-label={words.title}>
      <div className="panel-head">
        <h2>{words.title}</h2>
      </div>
      <Suspense>
        <Ticket draft={draft} />
        <p className="quiet panel-text">{words.note}</p>
      </Suspense>
    </section>
  )
}
