import { NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Meter } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import type { Fields } from '../../parts/draft.ts'
import { EditorPage } from '../../parts/editor-page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { bodyOf, draftOf, funcs, type MeterDraft, newMeter } from './meter-draft.ts'
import { FilterGroup } from './meter-filter.tsx'
import { meters } from './meters.resource.ts'
import { metersWords, meterWords as words } from './meters.texts.ts'

const route = getRouteApi('/dashboard/$slug/meters/$meterId')

/** The editor of a meter; `new` in the address creates one. */
export function MeterPage() {
  const { billing, slug, may } = useSeller()
  const { meterId } = route.useParams()
  const navigate = useNavigate()
  const back = (
    <BackLink to="/dashboard/$slug/meters" params={{ slug }} {...useWayBack(meters.searchIn)}>
      {metersWords.title}
    </BackLink>
  )
  return (
    <EditorPage
      id={meterId}
      kind="meter"
      read={billing.getMeter}
      words={words}
      back={back}
      mayWrite={may('meter', 'write')}
      nameOf={({ name }) => name}
      calls={({ id }) => ({ [metersWords.calls.get]: apiCall('getMeter', { id }) })}
      newDraft={newMeter}
      draftOf={draftOf}
      save={(draft, meter) =>
        meter ? billing.updateMeter({ id: meter.id, ...bodyOf(draft) }) : billing.createMeter(bodyOf(draft))
      }
      onCreated={(id) =>
        navigate({ to: '/dashboard/$slug/meters/$meterId', params: { slug, meterId: id }, ignoreBlocker: true })
      }
    >
      {(fields, meter) => <MeterFields {...fields} meter={meter} />}
    </EditorPage>
  )
}

function MeterFields({ draft, change, errorOf, input, meter }: Fields<MeterDraft> & { meter: Meter | undefined }) {
  const { filter, func, property } = draft
  return (
    <>
      <Panel title={words.details}>
        <div className="panel-fields">
          <TextInput
            label={words.name}
            description={words.nameHint}
            autoComplete="off"
            maxLength={256}
            {...input('name')}
          />
          {meter ? (
            <dl className="facts flush">
              <dt>{words.id}</dt>
              <dd>
                <Copyable text={meter.id} what={words.id} />
              </dd>
            </dl>
          ) : null}
        </div>
      </Panel>
      <Panel title={words.filter}>
        <div className="panel-fields">
          <p className="quiet">{words.filterHint}</p>
          <FilterGroup
            group={filter}
            onChange={(changed) => change({ filter: changed })}
            errorOf={errorOf}
            path="filter"
          />
        </div>
      </Panel>
      <Panel title={words.aggregation}>
        <div className="panel-fields">
          <div className="side-by-side">
            <NativeSelect
              label={words.func}
              data={funcs.map((value) => ({ value, label: words.funcs[value] }))}
              value={func}
              error={errorOf('aggregation.func')}
              onChange={(event) =>
                change({ func: funcs.find((each) => each === event.currentTarget.value) ?? 'count' })
              }
            />
            {func === 'count' ? null : (
              <TextInput
                label={words.of}
                description={words.ofHint}
                autoComplete="off"
                spellCheck={false}
                maxLength={256}
                value={property}
                error={errorOf('aggregation.property')}
                onChange={(event) => change({ property: event.currentTarget.value })}
              />
            )}
          </div>
        </div>
      </Panel>
    </>
  )
}
