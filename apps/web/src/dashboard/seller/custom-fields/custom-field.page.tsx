import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { CustomField } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import type { Fields } from '../../parts/draft.ts'
import { EditorPage } from '../../parts/editor-page.tsx'
import { Lines } from '../../parts/lines.tsx'
import { Panel } from '../../parts/panel.tsx'
import { bodyOf, draftOf, type FieldDraft, newField, newOption, slugOf } from './custom-field-draft.ts'
import { customFields, types } from './custom-fields.resource.ts'
import { customFieldsWords, customFieldWords as words } from './custom-fields.texts.ts'

const route = getRouteApi('/dashboard/$slug/custom-fields/$fieldId')

/** The editor of a custom field; `new` in the address creates one. */
export function CustomFieldPage() {
  const { billing, slug, may } = useSeller()
  const { fieldId } = route.useParams()
  const navigate = useNavigate()
  const back = (
    <BackLink to="/dashboard/$slug/custom-fields" params={{ slug }} {...useWayBack(customFields.searchIn)}>
      {customFieldsWords.title}
    </BackLink>
  )
  return (
    <EditorPage
      id={fieldId}
      kind="custom-field"
      read={billing.getCustomField}
      words={words}
      back={back}
      mayWrite={may('product', 'write')}
      nameOf={({ name }) => name}
      calls={({ id }) => ({ [customFieldsWords.calls.get]: apiCall('getCustomField', { id }) })}
      newDraft={newField}
      draftOf={draftOf}
      save={(draft, field) =>
        field ? billing.updateCustomField({ id: field.id, ...bodyOf(draft) }) : billing.createCustomField(bodyOf(draft))
      }
      onCreated={(id) =>
        navigate({ to: '/dashboard/$slug/custom-fields/$fieldId', params: { slug, fieldId: id }, ignoreBlocker: true })
      }
      removal={{
        words: words.remove,
        remove: billing.deleteCustomField,
        onRemoved: () => navigate({ to: '/dashboard/$slug/custom-fields', params: { slug }, ignoreBlocker: true }),
      }}
    >
      {(fields, field) => (
        <>
          <Details {...fields} field={field} />
          <Shown {...fields} />
          <Rules {...fields} />
        </>
      )}
    </EditorPage>
  )
}

type PartProps = Fields<FieldDraft>

function Details({ draft, change, errorOf, input, field }: PartProps & { field: CustomField | undefined }) {
  // The slug follows the name until the viewer edits it.
  const follows = field === undefined && draft.slug === slugOf(draft.name)
  return (
    <Panel title={words.details}>
      <div className="panel-fields">
        <TextInput
          label={words.name}
          description={words.nameHint}
          autoComplete="off"
          maxLength={256}
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => {
            const name = event.currentTarget.value
            change({ name, ...(follows && { slug: slugOf(name) }) })
          }}
        />
        <TextInput
          label={words.slug}
          description={field ? words.slugChange : words.slugHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...input('slug')}
        />
        {field ? (
          <dl className="facts flush">
            <dt>{words.type}</dt>
            <dd>{customFieldsWords.types[field.type]}</dd>
            <dt>{words.id}</dt>
            <dd>
              <Copyable text={field.id} what={words.id} />
            </dd>
          </dl>
        ) : (
          <NativeSelect
            label={words.type}
            description={words.typeHint}
            data={types.map((value) => ({ value, label: customFieldsWords.types[value] }))}
            {...input('type')}
          />
        )}
      </div>
    </Panel>
  )
}

function Shown({ draft, input }: PartProps) {
  return (
    <Panel title={words.shown}>
      <div className="panel-fields">
        <TextInput
          label={words.label}
          description={words.labelHint}
          autoComplete="off"
          maxLength={256}
          {...input('properties.formLabel')}
        />
        <TextInput label={words.help} autoComplete="off" maxLength={1024} {...input('properties.formHelpText')} />
        {draft.type === 'checkbox' ? null : (
          <TextInput
            label={words.placeholder}
            autoComplete="off"
            maxLength={256}
            {...input('properties.formPlaceholder')}
          />
        )}
      </div>
    </Panel>
  )
}

/** What each kind has besides. */
function Rules(fields: PartProps) {
  const { draft, input } = fields
  const { type } = draft
  return (
    <Panel title={words.rules}>
      <div className="panel-fields">
        {type === 'text' ? (
          <>
            <Checkbox label={words.textarea} {...input('properties.textarea', { type: 'checkbox' })} />
            <div className="side-by-side">
              <TextInput
                label={words.minLength}
                inputMode="numeric"
                autoComplete="off"
                maxLength={5}
                {...input('properties.minLength')}
              />
              <TextInput
                label={words.maxLength}
                inputMode="numeric"
                autoComplete="off"
                maxLength={5}
                {...input('properties.maxLength')}
              />
            </div>
          </>
        ) : null}
        {type === 'number' || type === 'date' ? (
          <div className="side-by-side">
            <TextInput
              type={type === 'date' ? 'date' : 'text'}
              label={words.least[type]}
              autoComplete="off"
              maxLength={16}
              {...input('properties.ge')}
            />
            <TextInput
              type={type === 'date' ? 'date' : 'text'}
              label={words.most[type]}
              autoComplete="off"
              maxLength={16}
              {...input('properties.le')}
            />
          </div>
        ) : null}
        {type === 'checkbox' ? <p className="quiet">{words.noRules}</p> : null}
        {type === 'select' ? <Options {...fields} /> : null}
      </div>
    </Panel>
  )
}

const Options = ({ draft: { properties }, change, errorOf }: PartProps) => (
  <>
    <p className="quiet">{words.optionHint}</p>
    <Lines
      lines={properties.options}
      onChange={(options) => change({ properties: { ...properties, options } })}
      add={(before) => [...before, newOption()]}
      words={{ add: words.addOption, remove: ({ label }) => words.removeOption(label) }}
      look="pair"
      error={errorOf('properties.options')}
    >
      {({ label, value }, set, index) => (
        <>
          <TextInput
            aria-label={words.optionLabel(index + 1)}
            placeholder={words.label}
            autoComplete="off"
            maxLength={256}
            value={label}
            error={errorOf(`properties.options.${index}.label`)}
            onChange={(event) => {
              const changed = event.currentTarget.value
              const follows = value === slugOf(label)
              set({ label: changed, ...(follows && { value: slugOf(changed) }) })
            }}
          />
          <TextInput
            aria-label={words.optionValue(index + 1)}
            placeholder={words.value}
            autoComplete="off"
            spellCheck={false}
            maxLength={256}
            value={value}
            error={errorOf(`properties.options.${index}.value`)}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
        </>
      )}
    </Lines>
  </>
)
