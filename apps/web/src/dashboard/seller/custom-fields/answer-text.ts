import { language } from '../../language.ts'
import { answerWords as words } from './custom-fields.texts.ts'

/** As much of a custom field as its answers need to be read. */
type Field =
  | { readonly type: 'text' | 'number' | 'date' | 'checkbox'; readonly properties: object }
  | {
      readonly type: 'select'
      readonly properties: { readonly options: readonly { readonly value: string; readonly label: string }[] }
    }

/** An answer is a day, wherever it is read: its moment is the day's beginning in UTC. */
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** An answer as a person reads it: the label of what was chosen, a day, yes or no. */
export function answerText(field: Field, value: unknown): string {
  switch (field.type) {
    case 'checkbox':
      return value === true ? words.yes : words.no
    case 'select':
      return field.properties.options.find((option) => option.value === value)?.label ?? String(value)
    case 'date':
      return Number.isNaN(Date.parse(String(value))) ? String(value) : day.format(Date.parse(String(value)))
    default:
      return String(value)
  }
}
