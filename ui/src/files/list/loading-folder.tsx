import type { Sorting } from '../../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { usePermissions } from '../../api/permissions.ts'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { isOffered } from '../actions/menus/selection-actions.ts'
import { useSelectionActions } from '../actions/menus/use-selection-actions.ts'
import { FloatingUpload } from './commands/folder-buttons.tsx'
import styles from './folder-view.module.css'
import { ListingSkeleton } from './listing-skeleton.tsx'
import { useLook } from './listing/use-look.ts'
import { FolderToolbar } from './toolbar/folder-toolbar.tsx'

const NOTHING = (): [] => []
const IGNORE = (): void => undefined

interface LoadingFolderProps {
  readonly folder: VirtualPath
  /** The expected order. */
  readonly sorting: Sorting
}

/** The places of a folder whose entries are not there yet, with its buttons disabled. */
export function LoadingFolder({ folder, sorting }: LoadingFolderProps) {
  const narrow = useMediaQuery(NARROW)
  const mayCreate = usePermissions().create
  const look = useLook(folder, sorting)
  const actions = useSelectionActions()({ folder, count: 0, items: NOTHING, all: false })
  return (
    <div className={styles['view']}>
      <fieldset className={styles['waiting']} disabled>
        <FolderToolbar
          summary=""
          empty={false}
          look={look}
          narrow={narrow}
          actions={actions.filter(isOffered).filter(({ bar }) => bar)}
          onMultiple={IGNORE}
          onFilter={IGNORE}
          onMore={IGNORE}
        />
        {mayCreate && narrow && <FloatingUpload folder={folder} />}
      </fieldset>
      <ListingSkeleton />
    </div>
  )
}
