import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useTextPart } from '../i18n/use-text-part.ts'
import { lazyPart } from '../kit/lazy-part.tsx'

const ViewerScreen = lazyPart(async () => (await import('./file-screen.tsx')).FileScreen)
const EditorScreen = lazyPart(async () => (await import('../editor/editor-page.tsx')).EditorPage)

interface FileSwitchProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** A text opens in the editor, everything else in the viewer; `?edit=true` and `?view=true` ask for one of them. */
export function FileSwitch({ file, path }: FileSwitchProps) {
  useTextPart('later')
  const asked = useRouterState({ select: ({ location }) => modeOf(location.search) })
  // A file that changes on the disk meanwhile must not take the editor away from who writes in it.
  const [opened, setOpened] = useState({ path, text: isText(file) })
  if (opened.path !== path) setOpened({ path, text: isText(file) })
  const mode = asked ?? (opened.text ? 'edit' : 'view')
  return mode === 'view' ? (
    <ViewerScreen file={file} path={path} />
  ) : (
    <EditorScreen key={path} file={file} path={path} />
  )
}

function modeOf(search: object): 'edit' | 'view' | undefined {
  if ('edit' in search) return 'edit'
  return 'view' in search ? 'view' : undefined
}

/** A table is read more often than it is written. */
function isText({ type, extension }: Resource): boolean {
  return type.startsWith('text') && !/^\.[ct]sv$/i.test(extension)
}
