import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { gracePeriods } from '@tollgate/contract/billing-schemas'
import type { Fields } from '../../parts/draft.ts'
import { Panel } from '../../parts/panel.tsx'
import { settingsWords } from './settings.texts.ts'
import type { SettingsDraft } from './settings-draft.ts'

const words = settingsWords.subscriptions

/** The member of the call, and its numbers: as many as a seller may choose. */
const retryPath = 'subscription_settings.dunning_retry_after_days'
const retryPaths = [retryPath, ...Array.from({ length: 10 }, (_, index) => `${retryPath}.${index}`)]

/** What customers may do with subscriptions, and how unpaid renewals are collected. */
export function SubscriptionsPanel({ draft, change, input, errorOf }: Fields<SettingsDraft>) {
  const { subscriptionSettings } = draft
  const ticked = (name: keyof SettingsDraft['subscriptionSettings']) =>
    input(`subscriptionSettings.${name}`, { type: 'checkbox' })
  const chooseGrace = (value: string) => {
    const benefitRevocationGracePeriod = gracePeriods.find((days) => String(days) === value) ?? 0
    change({ subscriptionSettings: { ...subscriptionSettings, benefitRevocationGracePeriod } })
  }
  return (
    <Panel title={words.title}>
      <div className="panel-fields">
        <Checkbox label={words.allowMultiple} {...ticked('allowMultipleSubscriptions')} />
        <Checkbox label={words.allowUpdates} {...ticked('allowCustomerUpdates')} />
        <NativeSelect
          label={words.proration}
          data={(['prorate', 'invoice'] as const).map((value) => ({ value, label: words.prorations[value] }))}
          {...input('subscriptionSettings.prorationBehavior')}
        />
        <TextInput
          label={words.retryDays}
          description={words.retryDaysHint}
          autoComplete="off"
          {...input('retryDays')}
          error={retryPaths.map(errorOf).find((error) => error !== undefined)}
        />
        <NativeSelect
          label={words.grace}
          description={words.graceHint}
          data={gracePeriods.map((days) => ({
            value: String(days),
            label: days === 0 ? words.noGrace : words.graceDays(days),
          }))}
          value={String(subscriptionSettings.benefitRevocationGracePeriod)}
          onChange={(event) => chooseGrace(event.currentTarget.value)}
        />
      </div>
    </Panel>
  )
}
