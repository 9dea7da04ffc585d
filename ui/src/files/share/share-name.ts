import type { ShareView } from '../../../../src/domain/shares/share.ts'
import type { FileGlyphName } from '../../kit/icon/icon.tsx'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import { kindOfName } from '../../lib/file-kind.ts'

type Named = Pick<ShareView, 'path'>

/** The name of what is shared; "" for the user's root. */
export function shareName({ path }: Named): string {
  return lastSegment(path)
}

export function shareGlyph({ path }: Named): FileGlyphName {
  return path.endsWith('/') ? 'folder' : (kindOfName(shareName({ path })) ?? 'other')
}
