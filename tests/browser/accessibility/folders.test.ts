import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { FOLDER_SCREENS } from '../../helpers/browser/screens/files-screens.ts'

checkEveryScreen(FOLDER_SCREENS)
