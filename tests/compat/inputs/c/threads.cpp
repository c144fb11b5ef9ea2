// SPDX-License-Identifier: MIT
#include <future>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

int
main()
{
	std::mutex mutex;
	std::vector<std::thread> threads;
	int sum = 0;

	for (int i = 1; i <= 8; i++) {
		threads.emplace_back([&, i] {
			std::lock_guard<std::mutex> lock(mutex);
			sum += i;
		});
	}
	for (auto &thread : threads) {
		thread.join();
	}
	auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("caught"); });
	try {
		failing.get();
	} catch (const std::exception &error) {
		std::cout << error.what() << " after " << sum << std::endl;
	}
	return 0;
}
