import { NativeSelect } from '@mantine/core'
import type { Filter } from './billing-table.tsx'
import { FilterChip } from './filter-chip.tsx'

type Props = { filter: Filter; onChange: (changes: Readonly<Record<string, string | undefined>>) => void }

/** A filter with options: one of them, or several, which then stand beside it with remove buttons. */
export function SelectFilter({ filter: { name, label, value, all, options, another }, onChange }: Props) {
  const chosen = another === undefined ? [] : (value?.split(',') ?? [])
  const set = (values: readonly string[]) => onChange({ [name]: values.join(',') || undefined })
  const labels = new Map(
    options.flatMap((each) => ('group' in each ? each.items : each)).map((each) => [each.value, each.label]),
  )
  const left = options.filter((option) => 'group' in option || !chosen.includes(option.value))
  return (
    <>
      <NativeSelect
        className="half"
        aria-label={label}
        value={another === undefined ? (value ?? '') : ''}
        onChange={(event) => set([...chosen, event.currentTarget.value].filter((each) => each !== ''))}
        data={[
          { value: '', label: chosen.length > 0 ? (another ?? all) : all },
          ...left.map((each) => ('group' in each ? { ...each, items: [...each.items] } : each)),
        ]}
      />
      {chosen.map((each) => (
        <FilterChip
          key={each}
          label={label}
          value={labels.get(each) ?? each}
          size="word"
          onRemove={() => set(chosen.filter((other) => other !== each))}
        />
      ))}
    </>
  )
}
