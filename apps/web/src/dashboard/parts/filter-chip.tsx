import { IconX } from '@tabler/icons-react'
import { texts } from '../texts.ts'
import styles from './filter-chip.module.css'

type Props = {
  label: string
  value: string
  oneLine?: boolean
  /** As wide as its words; otherwise as wide as an id. */
  size?: 'word'
  onRemove: () => void
}

/** An active filter by name, with a remove button. */
export function FilterChip({ label, value, oneLine, size, onRemove }: Props) {
  return (
    <button
      type="button"
      className={size ? `${styles.chip} half` : styles.chip}
      data-size={size}
      aria-label={texts.filters.remove(label, value)}
      onClick={onRemove}
    >
      <span className={oneLine ? 'one-line' : undefined}>
        {label} <strong>{value}</strong>
      </span>
      <IconX size={14} stroke={1.6} aria-hidden />
    </button>
  )
}
