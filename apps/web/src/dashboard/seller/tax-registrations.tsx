import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { countries } from '../parts/countries.ts'
import type { ErrorOf } from '../parts/form-errors.ts'
import { taxWords } from './tax.texts.ts'
import { addRegistration, type RegistrationLine } from './tax-draft.ts'
import { statesOf } from './tax-places.ts'

const words = taxWords.places

/** As many as the server takes. */
const mostPlaces = 200

type Props = {
  lines: readonly RegistrationLine[]
  onChange: (lines: readonly RegistrationLine[]) => void
  /** What the table says of a place, as a percentage. */
  usualOf: (place: string) => string | undefined
  errorOf: ErrorOf
}

/** The places where tax is collected, each with its percentage where it is another one than the table's. */
export function RegistrationsField({ lines, onChange, usualOf, errorOf }: Props) {
  const add = useRef<HTMLButtonElement>(null)
  const change = (key: number, changes: Partial<RegistrationLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  return (
    <>
      {lines.length === 0 ? <p className="quiet">{words.nowhere}</p> : null}
      {lines.length > 0 ? (
        <ul className="fields">
          {lines.map(({ key, country, state, percent }, index) => {
            const states = statesOf(country)
            const usual = usualOf(state || country)
            return (
              <li key={key} className="place">
                <NativeSelect
                  aria-label={words.country(index + 1)}
                  data={[{ value: '', label: words.chooseCountry }, ...countries]}
                  value={country}
                  error={errorOf(`registrations.${index}.country`)}
                  onChange={(event) => change(key, { country: event.currentTarget.value, state: '' })}
                />
                {states.length > 0 ? (
                  <NativeSelect
                    aria-label={words.state(index + 1)}
                    data={[{ value: '', label: words.whole }, ...states]}
                    value={state}
                    error={errorOf(`registrations.${index}.state`)}
                    onChange={(event) => change(key, { state: event.currentTarget.value })}
                  />
                ) : null}
                <TextInput
                  aria-label={words.percent(index + 1)}
                  placeholder={usual === undefined ? words.unusual : words.usual(usual)}
                  inputMode="decimal"
                  rightSection="%"
                  autoComplete="off"
                  maxLength={7}
                  value={percent}
                  error={errorOf(`registrations.${index}.percent`)}
                  onChange={(event) => change(key, { percent: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={words.remove(index + 1)}
                  onClick={() => {
                    onChange(lines.filter((line) => line.key !== key))
                    // The button that had the focus is gone.
                    add.current?.focus()
                  }}
                >
                  <IconX size={16} stroke={1.6} />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      ) : null}
      {lines.length < mostPlaces ? (
        <div>
          <Button
            ref={add}
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
            onClick={() => onChange(addRegistration(lines))}
          >
            {words.add}
          </Button>
        </div>
      ) : null}
    </>
  )
}
