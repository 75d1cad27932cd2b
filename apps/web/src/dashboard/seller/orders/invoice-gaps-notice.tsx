import { Link } from '@tanstack/react-router'
import { useSeller } from '../../context.ts'
import { useTaxSettings } from '../../queries/attention.ts'
import { documentsWords } from './documents.texts.ts'
import { gapsOf } from './invoice-gaps.ts'

const { gaps: words } = documentsWords

/** Lists the seller's missing invoice details to members who may add them; renders nothing if they are complete. */
export function InvoiceGapsNotice({ isInPanel = false }: { isInPanel?: boolean }) {
  const { slug } = useSeller()
  const { data: settings } = useTaxSettings()
  const gaps = settings ? gapsOf(settings) : []
  if (gaps.length === 0) return null
  const notice = (
    <div className="notice" data-tone="warn">
      <span>{words.text(gaps)}</span>
      <Link to="/dashboard/$slug/tax" params={{ slug }} className="link">
        {words.fillIn}
      </Link>
    </div>
  )
  return isInPanel ? <div className="panel-text fields">{notice}</div> : notice
}
