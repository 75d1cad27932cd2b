import { filled, translated } from '../../language.ts'
import english from '../locales/custom-fields/en.json' with { type: 'json' }

const words = translated?.seller.customFields ?? english

/** The texts of the pages of custom fields. */
export const customFieldsWords = {
  ...words.customFields,
  bulk: {
    ...words.customFields.bulk,
    remove: (count: number) => filled(words.customFields.bulk.remove, { count }),
    removed: (count: number) => filled(words.customFields.bulk.removed, { count }),
  },
}

export const customFieldWords = {
  ...words.customField,
  created: (name: string) => filled(words.customField.created, { name }),
  saved: (name: string) => filled(words.customField.saved, { name }),
  optionValue: (index: number) => filled(words.customField.optionValue, { index }),
  optionLabel: (index: number) => filled(words.customField.optionLabel, { index }),
  removeOption: (label: string) =>
    label ? filled(words.customField.removeOption, { label }) : words.customField.removeUnnamedOption,
  remove: {
    ...words.customField.remove,
    title: (name: string) => filled(words.customField.remove.title, { name }),
    done: (name: string) => filled(words.customField.remove.done, { name }),
  },
}

/** Answers to fields that are ticked or not. */
export const answerWords = words.answer
