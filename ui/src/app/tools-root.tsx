import { PaletteHost } from '../shell/palette/palette-host.tsx'
import { SearchHost } from '../files/search/search-host.tsx'
import { TerminalHost } from '../shell/terminal/terminal-host.tsx'
import { useUploads } from '../files/uploads/uploads-context.tsx'
import { usePartMissing } from './use-part-missing.ts'

/** What can be called over every screen behind the sign-in. */
export function ToolsRoot() {
  const sayPartMissing = usePartMissing()
  return (
    <>
      <SearchHost />
      <TerminalHost onError={sayPartMissing} />
      <PaletteHost pick={useUploads().pick} />
    </>
  )
}
