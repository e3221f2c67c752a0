from tests.engines.playthroughs import main

main()
