import type { InstallationBrand } from '@tollgate/contract/brand'
import { useDashboard } from '../../context.ts'
import { brandWords } from '../../parts/brand.texts.ts'
import { brandDraft, brandValues, shownBrand } from '../../parts/brand-draft.ts'
import { BrandFields } from '../../parts/brand-fields.tsx'
import { BrandPreview } from '../../parts/brand-preview.tsx'
import { Detail } from '../../parts/detail.tsx'
import { useDraft } from '../../parts/draft.ts'
import { Editor } from '../../parts/editor.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PictureField } from '../../parts/picture-field.tsx'
import { answerOf } from '../../queries/answer.ts'
import { brandQuery } from '../../queries/installation.ts'
import { brand as words } from '../texts.ts'

/** How the pages and mails of the installation look. */
export function BrandPage() {
  const { client } = useDashboard()
  return (
    <Detail query={brandQuery(client)} back={null} words={{ loading: words.loading, gone: words.gone }}>
      {(brand) => <BrandEditor brand={brand} />}
    </Detail>
  )
}

function BrandEditor({ brand }: { brand: InstallationBrand }) {
  const { client, queries, props } = useDashboard()
  const { draft, isChanged, change, settle } = useDraft(() => brandDraft(brand))

  async function save() {
    const saved = await answerOf(client.adminUpdateBrand(brandValues(draft)))
    queries.setQueryData(brandQuery(client).queryKey, saved)
    settle(brandDraft(saved))
    return words.saved
  }

  async function saveLogo(file: File | null) {
    const saved = await answerOf(file ? client.adminUploadBrandLogo({ file }) : client.adminUpdateBrand({ logo: null }))
    queries.setQueryData(brandQuery(client).queryKey, saved)
  }

  return (
    <>
      <PageHead title={words.title} text={words.text} />
      <Editor
        submit={words.submit}
        isChanged={isChanged}
        mayWrite
        save={save}
        aside={<BrandPreview brand={shownBrand(draft)} name={props.appName} logo={brand.logo} />}
      >
        {(errorOf) => (
          <>
            <Panel title={words.logo}>
              <div className="panel-fields">
                <PictureField
                  text={words.logoHint}
                  url={brand.logo}
                  shapes={['original', 'square']}
                  mayWrite
                  save={saveLogo}
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
