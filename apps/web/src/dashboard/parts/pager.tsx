import { Button } from '@mantine/core'
import { knowsWayBack, type Place } from '../paging.ts'
import { texts } from '../texts.ts'
import styles from './pager.module.css'

type Props = {
  place: Place
  nextCursor: string | null
  /** The visible range, such as "51–100 of 12,400 users"; announced when it changes. */
  shown: string
  onNext: () => void
  onPrevious: () => void
}

/** The pager of a list, with the visible range. */
export function Pager({ place, nextCursor, shown, onNext, onPrevious }: Props) {
  const isFirst = place.cursor === undefined
  return (
    <nav className={styles.pager} aria-label={texts.pager.label}>
      <p role="status">{shown}</p>
      <div className="actions">
        <PageButton off={isFirst} onPress={onPrevious}>
          {isFirst || knowsWayBack(place) ? texts.pager.previous : texts.pager.first}
        </PageButton>
        <PageButton off={nextCursor === null} onPress={onNext}>
          {texts.pager.next}
        </PageButton>
      </div>
    </nav>
  )
}

/** Never disabled: the last page would lose the focus. */
function PageButton({ off, onPress, children }: { off: boolean; onPress: () => void; children: string }) {
  return (
    <Button
      variant="default"
      size="compact-md"
      aria-disabled={off || undefined}
      className={off ? 'off' : undefined}
      onClick={() => !off && onPress()}
    >
      {children}
    </Button>
  )
}
