import { filled, insideSentence, number, translated } from './language.ts'
import english from './locales/en.json' with { type: 'json' }

/**
 * What the frame of the dashboard says, and the parts that its pages share; each area has its texts beside it. A function
 * stands for each text with placeholders.
 */
const words = translated?.frame ?? english
const { shell, commands, filters, list, form, picker, metadata, failure, copy, pager, apiCalls } = words

export const texts = {
  ...words,
  shell: {
    ...shell,
    disputesToAnswer: (count: number) => filled(shell.disputesToAnswer, { count }),
    openMoneyToCheck: (count: number) => filled(shell.openMoneyToCheck, { count }),
    openDisputes: (count: number) => filled(shell.openDisputes, { count }),
    brokenEndpoints: (count: number) => filled(shell.brokenEndpoints, { count }),
    failingJobs: (count: number) => filled(shell.failingJobs, { count }),
    impersonated: (name: string) => filled(shell.impersonated, { name }),
    notApproved: {
      ...shell.notApproved,
      title: (organization: string) => filled(shell.notApproved.title, { organization }),
      text: (app: string) => filled(shell.notApproved.text, { app }),
      approve: {
        ...shell.notApproved.approve,
        title: (app: string) => filled(shell.notApproved.approve.title, { app }),
      },
    },
  },
  commands: {
    ...commands,
    found: (count: number) => filled(commands.found, { count }),
    keyGo: (page: string) => filled(commands.keyGo, { page }),
  },
  filters: { remove: (what: string, value: string) => filled(filters.remove, { what, value }) },
  list: {
    ...list,
    sortBy: (column: string) => filled(list.sortBy, { column: insideSentence(column) }),
    views: {
      ...list.views,
      saved: (name: string) => filled(list.views.saved, { name }),
      remove: (name: string) => filled(list.views.remove, { name }),
    },
    news: (count: number, what: string) => filled(list.news, { count, what }),
    select: (name: string) => filled(list.select, { name }),
    exportSelected: (count: number) => filled(list.exportSelected, { count }),
    selected: (count: number) => filled(list.selected, { count }),
    partly: (done: number, count: number) => filled(list.partly, { done, count }),
    reason: (name: string, reason: string) => filled(list.reason, { name, reason }),
    shown: (from: number, to: number, what: string) => filled(list.shown, { from, to, what }),
    about: (from: number, to: number, total: number, what: string) => filled(list.about, { from, to, total, what }),
  },
  form: { ...form, several: (count: number) => filled(form.several, { count }) },
  picker: {
    ...picker,
    search: (label: string) => filled(picker.search, { label }),
    add: (label: string) => filled(picker.add, { label }),
    up: (name: string) => filled(picker.up, { name }),
    down: (name: string) => filled(picker.down, { name }),
    remove: (name: string) => filled(picker.remove, { name }),
    moved: (name: string, place: number, of: number) => filled(picker.moved, { name, place, of }),
  },
  metadata: {
    ...metadata,
    remove: (key: string) => (key ? filled(metadata.remove, { key }) : metadata.removeUnnamed),
    nameOf: (what: string, index: number) => filled(metadata.nameOf, { what, index }),
    twice: (key: string) => filled(metadata.twice, { key }),
  },
  failure: {
    ...failure,
    /** Below an error: the request id for the server's log. */
    code: (code: string) => filled(failure.code, { code }),
    needs: (permission: string, organization: string) => filled(failure.needs, { permission, organization }),
  },
  copy: {
    ...copy,
    copy: (what: string) => filled(copy.copy, { what }),
    named: (action: string, what: string) => filled(copy.named, { copy: action, what }),
  },
  apiCalls: { ...apiCalls, scope: (scope: string) => filled(apiCalls.scope, { scope }) },
  pager: {
    ...pager,
    range: (from: number, to: number, total: number, what: string) => filled(pager.range, { from, to, total, what }),
  },
}

/** How many, with their name: `3 members`. */
export const plural = (count: number, one: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? one : many}`

export { number }
