import { ApiError } from '../api/api-error.ts'
import { useConfig } from '../api/page-config.tsx'
import { GlobalPage } from '../admin/settings/global/global-page.tsx'
import { globalSections } from '../lib/settings-places.ts'

/** Settings of the whole installation, one section at a time. */
export function GlobalSettingsScreen({ param }: { readonly param: string }) {
  const sections = globalSections(useConfig().EnableExec)
  const section = sections.find((each) => each === param)
  if (section === undefined) throw new ApiError({ status: 404, message: '' })
  return <GlobalPage sections={sections} section={section} />
}
