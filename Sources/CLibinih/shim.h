#pragma once
#include <stdio.h>
#include <ini.h>
