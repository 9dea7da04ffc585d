import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { ENTRY_SCREENS } from '../../helpers/browser/screens/files-screens.ts'

checkEveryScreen(ENTRY_SCREENS)
