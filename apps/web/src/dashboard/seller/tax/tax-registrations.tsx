import { NativeSelect, TextInput } from '@mantine/core'
import { countries } from '../../parts/countries.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { Lines } from '../../parts/lines.tsx'
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
export const RegistrationsField = ({ lines, onChange, usualOf, errorOf }: Props) => (
  <Lines
    lines={lines}
    onChange={onChange}
    add={addRegistration}
    words={{ add: words.add, none: words.nowhere, remove: (_, number) => words.remove(number) }}
    look="place"
    most={mostPlaces}
  >
    {({ country, state, percent }, change, index) => {
      const states = statesOf(country)
      const usual = usualOf(state || country)
      return (
        <>
          <NativeSelect
            aria-label={words.country(index + 1)}
            data={[{ value: '', label: words.chooseCountry }, ...countries]}
            value={country}
            error={errorOf(`registrations.${index}.country`)}
            onChange={(event) => change({ country: event.currentTarget.value, state: '' })}
          />
          {states.length > 0 ? (
            <NativeSelect
              aria-label={words.state(index + 1)}
              data={[{ value: '', label: words.whole }, ...states]}
              value={state}
              error={errorOf(`registrations.${index}.state`)}
              onChange={(event) => change({ state: event.currentTarget.value })}
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
            onChange={(event) => change({ percent: event.currentTarget.value })}
          />
        </>
      )
    }}
  </Lines>
)
