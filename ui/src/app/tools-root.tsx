import { PaletteHost } from '../shell/palette/palette-host.tsx'
import { SearchHost } from '../files/search/search-host.tsx'
import { TerminalHost } from '../shell/terminal/terminal-host.tsx'
import { useLateUploads } from './late-uploads.tsx'
import { usePartMissing } from './use-part-missing.ts'

/** What can be called over every screen behind the sign-in. */
export function ToolsRoot() {
  const sayPartMissing = usePartMissing()
  return (
    <>
      <SearchHost onError={sayPartMissing} />
      <TerminalHost onError={sayPartMissing} />
      <PaletteHost pick={useLateUploads().pick} />
    </>
  )
}
