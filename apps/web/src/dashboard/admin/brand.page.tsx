import { TextInput } from '@mantine/core'
import type { InstallationBrand } from '@tollgate/contract/brand'
import { useDashboard } from '../context.ts'
import { brandWords } from '../parts/brand.texts.ts'
import { type BrandDraft, brandDraft, brandValues, shownBrand } from '../parts/brand-draft.ts'
import { BrandFields } from '../parts/brand-fields.tsx'
import { BrandPreview } from '../parts/brand-preview.tsx'
import { Detail } from '../parts/detail.tsx'
import { useDraft } from '../parts/draft.ts'
import { Editor } from '../parts/editor.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { answerOf } from '../queries/answer.ts'
import { brandQuery } from '../queries/installation.ts'
import { brand as words } from './texts.ts'

/** How the pages and mails of the installation look. */
export function BrandPage() {
  const { client } = useDashboard()
  return (
    <Detail query={brandQuery(client)} back={null} words={{ loading: words.loading, gone: words.gone }}>
      {(brand) => <BrandEditor brand={brand} />}
    </Detail>
  )
}

type Draft = BrandDraft & { readonly logo: string }

const draftOf = (brand: InstallationBrand): Draft => ({ ...brandDraft(brand), logo: brand.logo ?? '' })

function BrandEditor({ brand }: { brand: InstallationBrand }) {
  const { client, queries, props } = useDashboard()
  const { draft, isChanged, change, settle } = useDraft(() => draftOf(brand))

  async function save() {
    const values = { ...brandValues(draft), logo: draft.logo.trim() || null }
    const saved = await answerOf(client.adminUpdateBrand(values))
    queries.setQueryData(brandQuery(client).queryKey, saved)
    settle(draftOf(saved))
    return words.saved
  }

  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <Editor
        submit={words.submit}
        isChanged={isChanged}
        mayWrite
        save={save}
        aside={<BrandPreview brand={shownBrand(draft)} name={props.appName} logo={shownLogo(draft.logo)} />}
      >
        {(errorOf) => (
          <>
            <Panel title={words.logo}>
              <div className="panel-fields">
                <TextInput
                  type="url"
                  label={words.logoAddress}
                  description={words.logoHint}
                  value={draft.logo}
                  error={errorOf('logo')}
                  autoComplete="off"
                  onChange={(event) => change({ logo: event.currentTarget.value })}
                />
              </div>
            </Panel>
            <Panel title={brandWords.title}>
              <div className="panel-fields">
                <BrandFields draft={draft} onChange={change} errorOf={errorOf} />
              </div>
            </Panel>
          </>
        )}
      </Editor>
    </>
  )
}

/** An address that is still being typed is no picture yet. */
const shownLogo = (text: string): string | null => (/^https?:\/\/./.test(text) ? text : null)
