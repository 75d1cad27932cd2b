import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { kinds } from '../../parts/metadata.ts'
import { texts } from '../../texts.ts'
import { type ClauseDraft, type GroupDraft, isGroup, newClause, newGroup, operators } from './meter-draft.ts'
import styles from './meter-filter.module.css'
import { meterWords as words } from './meters.texts.ts'

/** Groups within groups that are offered; deeper ones that are there already are shown and kept. */
const deepest = 2
/** Most conditions of a group (contract, Meters). */
const most = 50

type Props = {
  group: GroupDraft
  onChange: (group: GroupDraft) => void
  errorOf: ErrorOf
  /** Where the server finds the group, such as `filter.clauses.1`. */
  path: string
  /** The same for people: `2.1`; empty for the outermost. */
  place?: string
  depth?: number
}

/** Conditions that go together by and or by or, with groups of further ones among them. */
export function FilterGroup({ group, onChange, errorOf, path, place = '', depth = 0 }: Props) {
  const add = useRef<HTMLButtonElement>(null)
  const { clauses, conjunction } = group
  const where = place === '' ? '' : words.inGroup(place)
  const wrong = errorOf(`${path}.clauses`)
  const set = (index: number, part: ClauseDraft | GroupDraft) =>
    onChange({ ...group, clauses: clauses.map((each, at) => (at === index ? part : each)) })
  const append = (part: ClauseDraft | GroupDraft) => onChange({ ...group, clauses: [...clauses, part] })
  const remove = (part: ClauseDraft | GroupDraft) => {
    onChange({ ...group, clauses: clauses.filter((each) => each !== part) })
    add.current?.focus()
  }
  return (
    <div className={styles.group}>
      {clauses.length > 1 ? (
        <NativeSelect
          className={styles.narrow}
          aria-label={words.conjunction(where)}
          data={[
            { value: 'and', label: words.conjunctions.and },
            { value: 'or', label: words.conjunctions.or },
          ]}
          value={conjunction}
          onChange={(event) => onChange({ ...group, conjunction: event.currentTarget.value === 'or' ? 'or' : 'and' })}
        />
      ) : null}
      {clauses.length === 0 && depth === 0 ? <p className="quiet">{words.everyEvent}</p> : null}
      {clauses.map((part, index) => {
        const inner = `${path}.clauses.${index}`
        const name = place === '' ? `${index + 1}` : `${place}.${index + 1}`
        return isGroup(part) ? (
          <fieldset key={part.key} className={styles.inner}>
            <legend className="visually-hidden">{words.group(name)}</legend>
            <FilterGroup
              group={part}
              onChange={(changed) => set(index, changed)}
              errorOf={errorOf}
              path={inner}
              place={name}
              depth={depth + 1}
            />
            <RemoveIcon label={words.removeGroup(name)} onPress={() => remove(part)} />
          </fieldset>
        ) : (
          <Clause
            key={part.key}
            clause={part}
            onChange={(changed) => set(index, changed)}
            onRemove={() => remove(part)}
            errorOf={errorOf}
            path={inner}
            name={name}
          />
        )
      })}
      {wrong ? <p className="wrong">{wrong}</p> : null}
      <div className="actions">
        <Button
          ref={add}
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
          aria-label={words.addTo(words.addClause, where)}
          aria-disabled={clauses.length >= most || undefined}
          onClick={() => clauses.length < most && append(newClause())}
        >
          {words.addClause}
        </Button>
        {depth < deepest ? (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            aria-label={words.addTo(words.addGroup, where)}
            aria-disabled={clauses.length >= most || undefined}
            onClick={() => clauses.length < most && append(newGroup())}
          >
            {words.addGroup}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

type ClauseProps = {
  clause: ClauseDraft
  onChange: (clause: ClauseDraft) => void
  onRemove: () => void
  errorOf: ErrorOf
  path: string
  name: string
}

function Clause({ clause, onChange, onRemove, errorOf, path, name }: ClauseProps) {
  const { property, operator, kind, value } = clause
  return (
    <div className={styles.clause}>
      <TextInput
        aria-label={words.property(name)}
        placeholder={words.propertyLabel}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={property}
        error={errorOf(`${path}.property`)}
        onChange={(event) => onChange({ ...clause, property: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={words.operator(name)}
        data={operators.map((each) => ({ value: each, label: words.operators[each] }))}
        value={operator}
        error={errorOf(`${path}.operator`)}
        onChange={(event) =>
          onChange({ ...clause, operator: operators.find((each) => each === event.currentTarget.value) ?? 'eq' })
        }
      />
      <NativeSelect
        aria-label={words.valueKind(name)}
        data={kinds.map((each) => ({ value: each, label: texts.metadata.kinds[each] }))}
        value={kind}
        onChange={(event) => {
          const chosen = kinds.find((each) => each === event.currentTarget.value) ?? 'text'
          onChange({ ...clause, kind: chosen, ...(chosen === 'flag' && { value: 'true' }) })
        }}
      />
      {kind === 'flag' ? (
        <NativeSelect
          aria-label={words.value(name)}
          data={[
            { value: 'true', label: texts.metadata.flags.true },
            { value: 'false', label: texts.metadata.flags.false },
          ]}
          value={value}
          onChange={(event) => onChange({ ...clause, value: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          aria-label={words.value(name)}
          placeholder={words.valueLabel}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          {...(kind === 'number' && { inputMode: 'decimal' as const })}
          value={value}
          error={errorOf(`${path}.value`)}
          onChange={(event) => onChange({ ...clause, value: event.currentTarget.value })}
        />
      )}
      <RemoveIcon label={words.removeClause(name)} onPress={onRemove} />
    </div>
  )
}

const RemoveIcon = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} onClick={onPress}>
    <IconX size={16} stroke={1.6} />
  </ActionIcon>
)
